// Coolest first: nodes by temperature, published by the plugin `thermal`; ties in the order of the configuration.
//
// All temperatures change with time, so the nodes with room are sorted for each placement.
#include "platform/allocator.h"

namespace thinktime {
namespace {

class CoolestFirst : public Allocator {
 public:
  explicit CoolestFirst(const Nodes& nodes) : nodes_(nodes) {}

  bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const override {
    const std::vector<double>& temperature = nodes_.values().temperature_c;
    if (temperature.empty()) throw std::invalid_argument("coolest-first needs the plugin thermal");
    std::stable_sort(roomy.begin(), roomy.end(),
                     [&](const Roomy& a, const Roomy& b) { return temperature[a.node] < temperature[b.node]; });
    return fill(roomy, need.units, placement);
  }

  bool steady() const override { return false; }

 private:
  const Nodes& nodes_;
};

const RegisterAllocator coolest_first{
    "coolest-first", [](const Nodes& nodes, const Options&) { return std::make_unique<CoolestFirst>(nodes); }};

}  // namespace
}  // namespace thinktime
