// An allocator decides where: which nodes a job gets, whole or not at all.
//
// Most take from each node they visit as many units as fit and are missing, and differ only in the order of their
// visits. One policy, one file: the file registers itself under the name that its Python spec uses.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/options.h"
#include "core/registry.h"
#include "platform/nodes.h"

namespace thinktime {

// A node with room: as it is now, will be, or may be used.
struct Roomy {
  NodeId node;
  Processors units;  // that fit on it
  double rank;       // by what is free on it there and then
};

class Allocator {
 public:
  virtual ~Allocator() = default;

  // Finds nodes among those with room, which are in the order of the configuration. False: not enough, or not so.
  virtual bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const = 0;

  // The same on what is free now. Whoever keeps the nodes in an order of his own is quicker than a list of all.
  virtual bool place(const Nodes& nodes, const Need& need, Placement& placement);

  // The order of visits, if it goes by what is free.
  virtual double rank(const Amount*, const Amount*) const { return 0; }
  virtual void changed(const Nodes&, NodeId) {}  // what is free on a node has changed

  // True: a job fits if, and only if, the units that fit on each node add up to enough.
  virtual bool adds_up() const { return true; }
  // True: who finds no nodes finds none either with more units, or when less is free.
  virtual bool monotone() const { return true; }
  // True: more units of the same kind get the nodes that fewer get, and others.
  virtual bool nested() const { return adds_up(); }
  // True: as long as the same is free, a job gets the same nodes, whatever the time.
  virtual bool steady() const { return true; }
  // The most units that fit on an empty cluster.
  virtual std::int64_t capacity(const Nodes& nodes, Unit unit) const;

 protected:
  // Takes from the nodes in the order of the list. False if they have not enough.
  static bool fill(const std::vector<Roomy>& roomy, Processors missing, Placement& placement);

 private:
  std::vector<Roomy> roomy_;  // kept for its memory
};

using RegisterAllocator = Registry<Allocator, const Nodes&, const Options&>;
using AllocatorFactory = RegisterAllocator::Factory;

inline std::unique_ptr<Allocator> make_allocator(const std::string& name, const Nodes& nodes, const Options& options) {
  return RegisterAllocator::make("allocator", name, nodes, options);
}

}  // namespace thinktime
