// What is known beforehand: when nodes are closed, for maintenance or because they are reserved for somebody.
//
// A job may use a node only if no closure falls into its expected time there; a closure that is its owner's own does
// not count. A job that overruns into a closure runs on.
#pragma once
#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "core/types.h"

namespace thinktime {

using NodeId = std::uint32_t;
using Owner = std::uint32_t;
inline constexpr Owner kNoOwner = 0;

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

  Time next_end(Time after) const { return first_after(ends_, after); }
  // The next instant at which somebody may find more room, or less.
  Time next_change(Time after) const { return std::min(first_after(begins_, after), first_after(ends_, after)); }

 private:
  struct Closure {
    Time from, to;
    Owner owner;
    Time latest;  // end of this one and of those before it
  };

  static Time first_after(const std::set<Time>& times, Time after) {
    const auto at = times.upper_bound(after);
    return at == times.end() ? kNever : *at;
  }

  std::vector<std::vector<Closure>> by_node_;  // by beginning
  std::set<Time> begins_, ends_;
};

}  // namespace thinktime
