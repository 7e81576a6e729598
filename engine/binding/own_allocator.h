// An allocator written in Python: given the nodes with room for a job, it answers with those to take.
//
// It is asked for nodes as they are now, and by schedulers that promise nodes also as they will be: what is free on each
// is therefore handed over with the question, and nothing else is to be looked at.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>

#include "platform/allocator.h"

namespace thinktime {

class OwnAllocator : public Allocator {
 public:
  // `policy` has place(row, unit, units, start_s, end_s, node, fits, free, capacity), where the last four are arrays of
  // the nodes with room; it gives arrays of nodes and of units on each, checked already, or None. And it has adds_up.
  OwnAllocator(nanobind::object policy, const Nodes& nodes);
  ~OwnAllocator() override;

  bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const override;
  // The number of a note of what is free on a node: `choose` finds the note by it.
  double rank(const Amount* free, const Amount* capacity) const override;
  bool adds_up() const override { return adds_up_; }
  bool monotone() const override { return false; }  // who knows
  bool nested() const override { return false; }
  bool steady() const override { return false; }

 private:
  nanobind::object asked(const std::vector<Roomy>& roomy, const Need& need) const;

  nanobind::object policy_, place_;
  bool adds_up_;
  std::size_t resources_;
  mutable std::vector<Amount> free_, capacity_;  // notes of rank(): [note * resources + resource]
};

}  // namespace thinktime
