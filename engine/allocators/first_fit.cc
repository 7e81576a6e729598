// First fit: the nodes in the order of the configuration.
#include "platform/allocator.h"

namespace thinktime {
namespace {

class FirstFit : public Allocator {
 public:
  bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const override {
    return fill(roomy, need.units, placement);
  }

  bool place(const Nodes& nodes, const Need& need, Placement& placement) override {
    placement.clear();
    Processors missing = need.units;
    for (NodeId node = 0; (node = nodes.next_roomy(node, need)) < nodes.size(); ++node) {
      const Processors units = nodes.units(node, need.unit, missing);
      put(placement, node, units);
      if ((missing -= units) == 0) return true;
    }
    return false;
  }
};

const RegisterAllocator first_fit{"first-fit",
                                  [](const Nodes&, const Options&) { return std::make_unique<FirstFit>(); }};

}  // namespace
}  // namespace thinktime
