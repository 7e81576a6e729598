// An allocator decides which nodes a job gets: all it needs, or none.
//
// Most allocators take from each node as many units as fit and are missing, and differ only in the order of nodes. One
// policy is one file, which registers itself under the name of its Python spec.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/options.h"
#include "core/registry.h"
#include "platform/nodes.h"

namespace thinktime {

// A node with room, now or at a later time.
struct Roomy {
  NodeId node;
  Processors units;  // that fit
  double rank;       // by what is free at that time
};

class Allocator {
 public:
  virtual ~Allocator() = default;

  // Chooses among nodes with room, given in the order of the configuration. False if the job does not fit.
  virtual bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const = 0;

  // The same with what is free now. Allocators that keep the nodes in order override it with a faster search.
  virtual bool place(const Nodes& nodes, const Need& need, Placement& placement);

  // The rank by which nodes are ordered, if it depends on what is free.
  virtual double rank(const Amount*, const Amount*) const { return 0; }
  virtual void changed(const Nodes&, NodeId) {}  // call it when what is free on a node has changed

  // True: a job fits if and only if the sum of units over all nodes suffices.
  virtual bool adds_up() const { return true; }
  // True: if n units find no nodes, neither do more units, nor n units when less is free.
  virtual bool monotone() const { return true; }
  // True: n + 1 units of one kind get the nodes that n units get, and more.
  virtual bool nested() const { return adds_up(); }
  // True: the nodes depend only on what is free, not on the time.
  virtual bool steady() const { return true; }
  // The number of units that fit on an empty cluster.
  virtual std::int64_t capacity(const Nodes& nodes, Unit unit) const;

 protected:
  // Takes units from the nodes in the order of the list. False if they do not suffice.
  static bool fill(const std::vector<Roomy>& roomy, Processors missing, Placement& placement);

 private:
  std::vector<Roomy> roomy_;  // scratch memory
};

using RegisterAllocator = Registry<Allocator, const Nodes&, const Options&>;
using AllocatorFactory = RegisterAllocator::Factory;

inline std::unique_ptr<Allocator> make_allocator(const std::string& name, const Nodes& nodes, const Options& options) {
  return RegisterAllocator::make("allocator", name, nodes, options);
}

}  // namespace thinktime
