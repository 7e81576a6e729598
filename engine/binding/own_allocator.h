// An allocator written in Python: called with the nodes that have room for a job, it returns the nodes to take.
//
// Schedulers that promise nodes call it with the state at a later time, so each call passes what is free on each node.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>

#include "platform/allocator.h"

namespace thinktime {

class OwnAllocator : public Allocator {
 public:
  // `policy` has adds_up, columns (those of the workload that it reads, as the engine names them) and place(row,
  // attributes, unit, units, start_s, end_s, node, fits, free, capacity); the last four are arrays over the nodes with
  // room. It returns arrays of nodes and of units on each, already checked, or None.
  OwnAllocator(nanobind::object policy, const Nodes& nodes, const Options& options);
  ~OwnAllocator() override;

  bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const override;
  // Stores what is free on a node and returns its index, for `choose`.
  double rank(const Amount* free, const Amount* capacity) const override;
  bool adds_up() const override { return adds_up_; }
  bool monotone() const override { return false; }  // unknown
  bool nested() const override { return false; }
  bool steady() const override { return false; }

 private:
  nanobind::object asked(const std::vector<Roomy>& roomy, const Need& need) const;

  nanobind::object policy_, place_;
  bool adds_up_;
  ReadColumns columns_;
  std::vector<std::size_t> places_;  // of the columns that it reads
  std::size_t resources_;
  mutable std::vector<Amount> free_, capacity_;  // stored by rank(): [index * resources + resource]
};

}  // namespace thinktime
