// The calendar: when nodes are closed for maintenance or reserved.
//
// A job may use a node only if no closure falls into its expected run time. The reservation of the job's owner does not
// count. A job that overruns into a closure continues.
//
// Adjacent nodes with the same closures form a zone; every query about a node is answered for its zone.
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

// The closures that a job would meet: those that begin by `last_begin` and end at `first_end` or later. Default: none.
struct Met {
  Time first_end = kNever;
  Time last_begin = -kNever;

  bool operator==(const Met&) const = default;
  bool includes(const Met& other) const { return first_end <= other.first_end && last_begin >= other.last_begin; }
};

// Nodes first .. first + nodes - 1 are closed from `from` until `to`, except for the owner's jobs.
struct Closing {
  NodeId first, nodes;
  Time from, to;
  Owner owner;
};

class Calendar {
 public:
  bool empty() const { return ends_.empty(); }

  // Adds many closures in one call, because each call sorts.
  void close(std::vector<Closing> all) {
    std::ranges::stable_sort(all, {}, &Closing::from);
    cut_zones(all);
    for (const Closing& each : all) {
      const std::size_t end = zone_of(each.first + each.nodes);
      for (std::size_t zone = zone_of(each.first); zone < end; ++zone)
        zones_[zone].closures.push_back({each.from, each.to, each.owner, each.to});
      begins_.insert(each.from);
      ends_.insert(each.to);
      busy_.push_back({each.from, each.to});
      owned_ = owned_ || each.owner != kNoOwner;
    }
    for (Zone& zone : zones_) settle(zone.closures);
    join_busy();
    known_until_ = -kNever;
  }

  // Whether no node is closed at any time from `from` until `to`.
  bool quiet(Time from, Time to) const {
    const auto at = std::partition_point(busy_.begin(), busy_.end(), [&](const Busy& each) { return each.to <= from; });
    return at == busy_.end() || (at->from >= to && at->from > from);
  }

  // Whether a job of this owner may use the node from `from` until `to`; at `from`, for a job of no length.
  bool open(NodeId node, Time from, Time to, Owner owner) const { return open(zones_[zone_of(node)], from, to, owner); }

  // The first node from `node` on that the job may use; `nodes` if there is none below that.
  NodeId next_open(NodeId node, NodeId nodes, Time from, Time to, Owner owner) const {
    for (std::size_t zone = zone_of(node); node < nodes && !open(zones_[zone], from, to, owner); ++zone)
      node = zone + 1 < zones_.size() ? zones_[zone + 1].first : nodes;
    return std::min(node, nodes);
  }

  // The same for all nodes.
  void mark_open(Time from, Time to, Owner owner, std::vector<char>& nodes) const {
    for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
      const std::size_t past = zone + 1 < zones_.size() ? zones_[zone + 1].first : nodes.size();
      const auto at = [&](std::size_t node) {
        return nodes.begin() + std::min(static_cast<std::ptrdiff_t>(node), std::ssize(nodes));
      };
      std::fill(at(zones_[zone].first), at(past), open(zones_[zone], from, to, owner));
    }
  }

  // Two jobs of one owner that meet the same closures may use the same nodes; a job that meets more may use fewer.
  Met met(Time from, Time to) const {
    if (quiet(from, to)) return {};
    const auto past = to > from ? begins_.lower_bound(to) : begins_.upper_bound(from);
    return {next_end(from), *std::prev(past)};
  }

  // The latest end of a job that starts at `now` on any of these nodes; kNever if there are reservations.
  Time open_until(Time now, NodeId nodes) const {
    if (owned_ || empty()) return kNever;
    if (now < known_from_ || now >= known_until_) look_at(now, nodes);
    return open_until_;
  }

  Time next_end(Time after) const { return first_after(ends_, after); }
  Time last_end() const { return ends_.empty() ? -kNever : *ends_.rbegin(); }
  // The next instant at which a closure begins or ends.
  Time next_change(Time after) const { return std::min(first_after(begins_, after), first_after(ends_, after)); }

 private:
  struct Closure {
    Time from, to;
    Owner owner;
    Time latest;  // latest end of this closure and those before it
  };

  struct Busy {
    Time from, to;
  };

  // Adjacent nodes with the same closures, up to the next zone; the last zone has no end.
  struct Zone {
    NodeId first;
    std::vector<Closure> closures;  // by begin
  };

  std::size_t zone_of(NodeId node) const {
    const auto past =
        std::partition_point(zones_.begin(), zones_.end(), [&](const Zone& each) { return each.first <= node; });
    return static_cast<std::size_t>(past - zones_.begin()) - 1;
  }

  // Splits zones at the first node of every closure, and after its last.
  void cut_zones(const std::vector<Closing>& all) {
    std::set<NodeId> firsts;
    for (const Closing& each : all) firsts.insert({each.first, each.first + each.nodes});
    for (const Zone& zone : zones_) firsts.erase(zone.first);
    std::vector<Zone> cut;
    auto first = firsts.begin();
    for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
      cut.push_back(std::move(zones_[zone]));
      for (; first != firsts.end() && (zone + 1 == zones_.size() || *first < zones_[zone + 1].first); ++first)
        cut.push_back({*first, std::vector<Closure>(cut.back().closures)});
    }
    zones_.swap(cut);
  }

  // Restores the order after closures were appended.
  static void settle(std::vector<Closure>& closures) {
    if (!std::ranges::is_sorted(closures, {}, &Closure::from)) std::ranges::stable_sort(closures, {}, &Closure::from);
    Time latest = -kNever;
    for (Closure& each : closures) each.latest = latest = std::max(latest, each.to);
  }

  static bool open(const Zone& zone, Time from, Time to, Owner owner) {
    for (auto at = first_not_over(zone.closures, from); at != zone.closures.end(); ++at) {
      if (at->from >= to && at->from > from) return true;
      if (at->to > from && (at->owner == kNoOwner || at->owner != owner)) return false;
    }
    return true;
  }

  static std::vector<Closure>::const_iterator first_not_over(const std::vector<Closure>& closures, Time now) {
    return std::partition_point(closures.begin(), closures.end(),
                                [&](const Closure& each) { return each.latest <= now; });
  }

  void look_at(Time now, NodeId nodes) const {
    open_until_ = -kNever;
    for (const Zone& zone : zones_)
      if (zone.first < nodes) open_until_ = std::max(open_until_, open_until(zone.closures, now));
    known_from_ = now;
    known_until_ = next_change(now);
  }

  // When the next closure begins; -kNever if one is in force.
  static Time open_until(const std::vector<Closure>& closures, Time now) {
    const auto at = first_not_over(closures, now);
    if (at == closures.end()) return kNever;
    return at->from > now ? at->from : -kNever;
  }

  // Merges overlapping periods.
  void join_busy() {
    std::ranges::sort(busy_, {}, &Busy::from);
    std::vector<Busy> apart;
    for (const Busy& each : busy_) {
      if (apart.empty() || each.from > apart.back().to) {
        apart.push_back(each);
      } else {
        apart.back().to = std::max(apart.back().to, each.to);
      }
    }
    busy_.swap(apart);
  }

  static Time first_after(const std::set<Time>& times, Time after) {
    const auto at = times.upper_bound(after);
    return at == times.end() ? kNever : *at;
  }

  std::vector<Zone> zones_{{0, {}}};
  std::set<Time> begins_, ends_;
  std::vector<Busy> busy_;  // periods in which some node is closed: disjoint, in order
  bool owned_ = false;      // some closures are reservations
  // Cached result of open_until(), valid until the next change.
  mutable Time known_from_ = kNever, known_until_ = -kNever, open_until_ = kNever;
};

}  // namespace thinktime
