// What is known beforehand: when nodes are closed, for maintenance or because they are reserved for somebody.
//
// A job may use a node only if no closure falls into its expected time there; a closure that is its owner's own does
// not count. A job that overruns into a closure runs on.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include "core/types.h"

namespace thinktime {

using NodeId = std::uint32_t;
using Owner = std::uint32_t;
inline constexpr Owner kNoOwner = 0;

// The closures that a job would meet: all that begin by `last_begin` and end at `first_end` or later. None if default.
struct Met {
  Time first_end = kNever;
  Time last_begin = -kNever;

  bool operator==(const Met&) const = default;
  bool includes(const Met& other) const { return first_end <= other.first_end && last_begin >= other.last_begin; }
};

class Calendar {
 public:
  bool empty() const { return ends_.empty(); }

  // Nodes first .. first + nodes - 1 are closed from `from` until `to`, except for the owner's jobs.
  void close(NodeId first, NodeId nodes, Time from, Time to, Owner owner) {
    if (by_node_.size() < first + nodes) by_node_.resize(first + nodes);
    for (NodeId node = first; node < first + nodes; ++node) {
      auto& closures = by_node_[node];
      const auto at = std::upper_bound(closures.begin(), closures.end(), from,
                                       [](Time time, const Closure& each) { return time < each.from; });
      closures.insert(at, {from, to, owner, to});
      for (std::size_t i = 1; i < closures.size(); ++i)
        closures[i].latest = std::max(closures[i - 1].latest, closures[i].to);
    }
    begins_.insert(from);
    ends_.insert(to);
    mark_busy(from, to);
    owned_ = owned_ || owner != kNoOwner;
    known_until_ = -kNever;
  }

  // Whether no node is closed at any time from `from` until `to`: then the calendar has no say.
  bool quiet(Time from, Time to) const {
    const auto at = std::partition_point(busy_.begin(), busy_.end(), [&](const Busy& each) { return each.to <= from; });
    return at == busy_.end() || (at->from >= to && at->from > from);
  }

  // Whether a job of this owner may have the node from `from` until `to`, or at `from` if that is no time at all.
  bool open(NodeId node, Time from, Time to, Owner owner) const {
    if (node >= by_node_.size()) return true;
    const auto& closures = by_node_[node];
    auto at = std::partition_point(closures.begin(), closures.end(),
                                   [&](const Closure& each) { return each.latest <= from; });  // over by then
    for (; at != closures.end(); ++at) {
      const Closure& each = *at;
      if (each.from >= to && each.from > from) return true;
      if (each.to > from && (each.owner == kNoOwner || each.owner != owner)) return false;
    }
    return true;
  }

  // Two jobs of one owner that meet the same closures may use the same nodes; who meets more, no others.
  Met met(Time from, Time to) const {
    if (quiet(from, to)) return {};
    const auto past = to > from ? begins_.lower_bound(to) : begins_.upper_bound(from);
    return {next_end(from), *std::prev(past)};
  }

  // Whoever starts at `now` on any of so many nodes is over by then, unless he has reservations: then kNever.
  Time open_until(Time now, NodeId nodes) const {
    if (owned_ || by_node_.size() < nodes) return kNever;
    if (now < known_from_ || now >= known_until_) look_at(now);
    return open_until_;
  }

  Time next_end(Time after) const { return first_after(ends_, after); }
  // The next instant at which somebody may find more room, or less.
  Time next_change(Time after) const { return std::min(first_after(begins_, after), first_after(ends_, after)); }

 private:
  struct Closure {
    Time from, to;
    Owner owner;
    Time latest;  // end of this one and of those before it
  };

  struct Busy {
    Time from, to;
  };

  void look_at(Time now) const {
    open_until_ = -kNever;
    for (const auto& closures : by_node_) open_until_ = std::max(open_until_, open_until(closures, now));
    known_from_ = now;
    known_until_ = next_change(now);
  }

  // When the next closure begins; -kNever if it is closed now.
  static Time open_until(const std::vector<Closure>& closures, Time now) {
    const auto at = std::partition_point(closures.begin(), closures.end(),
                                         [&](const Closure& each) { return each.latest <= now; });
    if (at == closures.end()) return kNever;
    return at->from > now ? at->from : -kNever;
  }

  // Joins what overlaps.
  void mark_busy(Time from, Time to) {
    const auto first = std::partition_point(busy_.begin(), busy_.end(), [&](const Busy& each) { return each.to < from; });
    auto last = first;
    for (; last != busy_.end() && last->from <= to; ++last) {
      from = std::min(from, last->from);
      to = std::max(to, last->to);
    }
    busy_.insert(busy_.erase(first, last), {from, to});
  }

  static Time first_after(const std::set<Time>& times, Time after) {
    const auto at = times.upper_bound(after);
    return at == times.end() ? kNever : *at;
  }

  std::vector<std::vector<Closure>> by_node_;  // by beginning
  std::set<Time> begins_, ends_;
  std::vector<Busy> busy_;  // when some node is closed: apart from each other, in order
  bool owned_ = false;      // some closures are reservations
  // The answer of open_until() from one change until the next.
  mutable Time known_from_ = kNever, known_until_ = -kNever, open_until_ = kNever;
};

}  // namespace thinktime
