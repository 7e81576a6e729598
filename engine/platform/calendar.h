// What is known beforehand: when nodes are closed, for maintenance or because they are reserved for somebody.
//
// A job may use a node only if no closure falls into its expected time there; a closure that is its owner's own does
// not count. A job that overruns into a closure runs on.
//
// Nodes that stand side by side and are closed together are one zone: what is asked of a node is asked of its zone.
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
    const std::size_t begin = zone_from(first), end = zone_from(first + nodes);
    for (std::size_t zone = begin; zone < end; ++zone) add(zones_[zone].closures, {from, to, owner, to});
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
  bool open(NodeId node, Time from, Time to, Owner owner) const { return open(zones_[zone_of(node)], from, to, owner); }

  // The first node from `node` on that it may have; `nodes` if there is none below that.
  NodeId next_open(NodeId node, NodeId nodes, Time from, Time to, Owner owner) const {
    for (std::size_t zone = zone_of(node); node < nodes && !open(zones_[zone], from, to, owner); ++zone)
      node = zone + 1 < zones_.size() ? zones_[zone + 1].first : nodes;
    return std::min(node, nodes);
  }

  // The same for every node.
  void mark_open(Time from, Time to, Owner owner, std::vector<char>& nodes) const {
    for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
      const std::size_t past = zone + 1 < zones_.size() ? zones_[zone + 1].first : nodes.size();
      const auto at = [&](std::size_t node) { return nodes.begin() + std::min(static_cast<std::ptrdiff_t>(node), std::ssize(nodes)); };
      std::fill(at(zones_[zone].first), at(past), open(zones_[zone], from, to, owner));
    }
  }

  // Two jobs of one owner that meet the same closures may use the same nodes; who meets more, no others.
  Met met(Time from, Time to) const {
    if (quiet(from, to)) return {};
    const auto past = to > from ? begins_.lower_bound(to) : begins_.upper_bound(from);
    return {next_end(from), *std::prev(past)};
  }

  // Whoever starts at `now` on any of so many nodes is over by then; kNever if some jobs have reservations.
  Time open_until(Time now, NodeId nodes) const {
    if (owned_ || empty()) return kNever;
    if (now < known_from_ || now >= known_until_) look_at(now, nodes);
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

  // Neighbours that are closed together, up to the next zone; the last one has no end.
  struct Zone {
    NodeId first;
    std::vector<Closure> closures;  // by beginning
  };

  std::size_t zone_of(NodeId node) const {
    const auto past = std::partition_point(zones_.begin(), zones_.end(), [&](const Zone& each) { return each.first <= node; });
    return static_cast<std::size_t>(past - zones_.begin()) - 1;
  }

  // The zone that begins with this node, made from one that does not.
  std::size_t zone_from(NodeId node) {
    const std::size_t zone = zone_of(node);
    if (zones_[zone].first == node) return zone;
    zones_.insert(zones_.begin() + static_cast<std::ptrdiff_t>(zone) + 1, Zone{node, zones_[zone].closures});
    return zone + 1;
  }

  static void add(std::vector<Closure>& closures, const Closure& closure) {
    auto at = std::upper_bound(closures.begin(), closures.end(), closure.from,
                               [](Time time, const Closure& each) { return time < each.from; });
    at = closures.insert(at, closure);
    for (; at != closures.end(); ++at)
      if (at != closures.begin()) at->latest = std::max(std::prev(at)->latest, at->to);
  }

  static bool open(const Zone& zone, Time from, Time to, Owner owner) {
    for (auto at = first_not_over(zone.closures, from); at != zone.closures.end(); ++at) {
      if (at->from >= to && at->from > from) return true;
      if (at->to > from && (at->owner == kNoOwner || at->owner != owner)) return false;
    }
    return true;
  }

  static std::vector<Closure>::const_iterator first_not_over(const std::vector<Closure>& closures, Time now) {
    return std::partition_point(closures.begin(), closures.end(), [&](const Closure& each) { return each.latest <= now; });
  }

  void look_at(Time now, NodeId nodes) const {
    open_until_ = -kNever;
    for (const Zone& zone : zones_)
      if (zone.first < nodes) open_until_ = std::max(open_until_, open_until(zone.closures, now));
    known_from_ = now;
    known_until_ = next_change(now);
  }

  // When the next closure begins; -kNever if it is closed now.
  static Time open_until(const std::vector<Closure>& closures, Time now) {
    const auto at = first_not_over(closures, now);
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

  std::vector<Zone> zones_{{0, {}}};
  std::set<Time> begins_, ends_;
  std::vector<Busy> busy_;  // when some node is closed: apart from each other, in order
  bool owned_ = false;      // some closures are reservations
  // The answer of open_until() from one change until the next.
  mutable Time known_from_ = kNever, known_until_ = -kNever, open_until_ = kNever;
};

}  // namespace thinktime
