// The nodes of a cluster, in the order of its configuration: the capacity of each, and what is free.
//
// A search for the next node with room reads one bound for 32 nodes, or for 1024, and skips them if none can hold a
// unit. So the cost of a placement grows with its size and with the logarithm of the cluster.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/types.h"
#include "platform/calendar.h"
#include "platform/node_values.h"

namespace thinktime {

using Amount = std::int64_t;           // of a resource of a node: cores, KB of memory, GPUs
using Unit = std::span<const Amount>;  // amounts that one processor of a job takes, by resource

// `nodes` adjacent nodes from `first` on, with `units` of a job on each.
struct Span {
  NodeId first;
  std::uint32_t nodes;
  Processors units;
};

using Placement = std::vector<Span>;

// Appends `units` on a node; extends the last span if possible.
inline void put(Placement& placement, NodeId node, Processors units) {
  if (!placement.empty()) {
    Span& last = placement.back();
    if (last.first + last.nodes == node && last.units == units) {
      ++last.nodes;
      return;
    }
  }
  placement.push_back({node, 1, units});
}

template <class Visit>  // visit(node, units)
void each_node(const Placement& placement, Visit visit) {
  for (const Span& span : placement)
    for (NodeId node = span.first; node < span.first + span.nodes; ++node) visit(node, span.units);
}

// The number of units that fit into `free`, at most `most`.
inline Processors units_in(const Amount* free, Unit unit, Processors most) {
  Amount fit = most;
  for (std::size_t r = 0; r < unit.size(); ++r)
    if (unit[r] * fit > free[r]) fit = free[r] < unit[r] ? 0 : free[r] / unit[r];
  return static_cast<Processors>(fit);
}

// The same without a limit; a unit must take something.
inline std::int64_t units_in(const Amount* free, Unit unit) {
  Amount fit = std::numeric_limits<Processors>::max();
  for (std::size_t r = 0; r < unit.size(); ++r) {
    if (free[r] < unit[r]) return 0;
    if (unit[r] > 0) fit = std::min(fit, free[r] / unit[r]);
  }
  return fit;
}

// What a job needs from a cluster.
struct Need {
  Unit unit;            // taken by each unit, from one node
  std::uint32_t shape;  // number of this kind of unit
  Processors units;
  JobId id;                            // slot of the job
  std::uint32_t row;                   // in the workload; selects its random stream
  Time from = 0;                       // start
  Time until = 0;                      // expected end
  Owner owner = kNoOwner;              // may use the reservations of this owner
  const Calendar* calendar = nullptr;  // null if no node is closed between from and until
  Met met = {};                        // the closures in between

  // Whether every node open to this job is open to the other one.
  bool as_closed_as(const Met& other, Owner owners) const {
    return met.includes(other) && (other == Met{} || owner == owners || owner == kNoOwner);
  }
  bool may_use(NodeId node) const { return !calendar || calendar->open(node, from, until, owner); }
  NodeId next_open(NodeId node, NodeId nodes) const {
    return calendar ? calendar->next_open(node, nodes, from, until, owner) : node;
  }
};

class Nodes {
 public:
  Nodes(std::vector<Amount> capacity, std::size_t resources);

  NodeId size() const { return size_; }
  std::size_t resources() const { return resources_; }
  const Amount* free(NodeId node) const { return &free_[node * resources_]; }
  const Amount* capacity(NodeId node) const { return &capacity_[node * resources_]; }
  Amount total_free(std::size_t resource) const { return total_[resource]; }
  const std::vector<Amount>& all_free() const { return free_; }
  const NodeValues& values() const { return values_; }
  NodeValues& values() { return values_; }

  Processors units(NodeId node, Unit unit, Processors most) const { return units_in(free(node), unit, most); }

  // The first node from `from` on that is open to the job and has room for a unit; size() if there is none.
  NodeId next_roomy(NodeId from, const Need& need) const {
    NodeId node = next_roomy(from, need.unit);
    while (node < size_ && !need.may_use(node)) node = next_roomy(need.next_open(node, size_), need.unit);
    return node;
  }

  // Whether the totals suffice for `units` units: a quick necessary condition.
  bool totals_suffice(Unit unit, Processors units) const {
    for (std::size_t r = 0; r < resources_; ++r)
      if (unit[r] * units > total_[r]) return false;
    return true;
  }

  void take(NodeId node, Unit unit, Processors units);
  void give(NodeId node, Unit unit, Processors units);
  void take_back(NodeId node, Unit unit, Processors units);  // undoes give(), also on a closed node

  // A closed node has nothing free; amounts returned to it are withheld until it is opened. A node may be closed for
  // several reasons and opens when all are gone. Returns true for the first reason, or the last.
  bool close(NodeId node);
  bool open(NodeId node);
  bool closed(NodeId node) const { return !reasons_.empty() && reasons_[node] > 0; }

 private:
  static constexpr NodeId kBlock = 32;           // nodes of a block
  static constexpr NodeId kGroup = kBlock * 32;  // nodes of a group

  static bool holds(const Amount* free, Unit unit) {
    for (std::size_t r = 0; r < unit.size(); ++r)
      if (free[r] < unit[r]) return false;
    return true;
  }
  bool block_may_hold(NodeId block, Unit unit) const { return holds(&block_[block * resources_], unit); }
  bool group_may_hold(NodeId group, Unit unit) const { return holds(&group_[group * resources_], unit); }
  NodeId next_roomy(NodeId from, Unit unit) const;
  NodeId skip(NodeId node, Unit unit) const;
  void tighten_block(NodeId block) const;
  void tighten_group(NodeId group) const;
  void widen(Amount* bound, const Amount* by) const {
    for (std::size_t r = 0; r < resources_; ++r) bound[r] = std::max(bound[r], by[r]);
  }

  std::size_t resources_;
  NodeId size_;
  std::vector<Amount> capacity_, free_;  // [node * resources + resource]
  std::vector<Amount> total_;            // free on all nodes
  std::vector<Amount> withheld_;         // on closed nodes; empty if no node was ever closed
  std::vector<std::uint32_t> reasons_;   // by node: number of reasons why it is closed
  NodeValues values_;
  // Upper bounds on what is free on any node of a block or group. Taking leaves a bound unchanged; a search that finds
  // no room in the block makes it exact.
  mutable std::vector<Amount> block_, group_;
};

}  // namespace thinktime
