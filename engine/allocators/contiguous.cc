// Contiguous: the first run of neighbouring nodes, each with room for a unit, that has room for the whole job.
#include <limits>

#include "allocators/allocator.h"

namespace thinktime {
namespace {

class Contiguous : public Allocator {
 public:
  bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const override {
    std::size_t first = 0;    // of the run that roomy[i] belongs to
    std::int64_t units = 0;   // that fit on the run so far
    for (std::size_t i = 0; i < roomy.size(); ++i) {
      if (i > 0 && roomy[i].node != roomy[i - 1].node + 1) first = i, units = 0;
      if ((units += roomy[i].units) < need.units) continue;
      roomy.erase(roomy.begin(), roomy.begin() + static_cast<std::ptrdiff_t>(first));
      return fill(roomy, need.units, placement);
    }
    return false;
  }

  // Walks as far as the run that suffices, and no further.
  bool place(const Nodes& nodes, const Need& need, Placement& placement) override {
    placement.clear();
    Processors missing = need.units;
    NodeId next = 0;  // that would continue the run
    for (NodeId node = 0; (node = nodes.next_roomy(node, need)) < nodes.size(); ++node) {
      if (node != next) placement.clear(), missing = need.units;
      const Processors units = nodes.units(node, need.unit, missing);
      put(placement, node, units);
      if ((missing -= units) == 0) return true;
      next = node + 1;
    }
    return false;
  }

  bool adds_up() const override { return false; }

  std::int64_t capacity(const Nodes& nodes, Unit unit) const override {
    std::int64_t run = 0, most = 0;
    for (NodeId node = 0; node < nodes.size(); ++node) {
      const auto units = units_in(nodes.capacity(node), unit, std::numeric_limits<Processors>::max());
      run = units == 0 ? 0 : run + units;
      most = std::max(most, run);
    }
    return most;
  }
};

const RegisterAllocator contiguous{
    "contiguous", [](const Nodes&, const Options&) { return std::make_unique<Contiguous>(); }};

}  // namespace
}  // namespace thinktime
