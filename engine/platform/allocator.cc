#include "platform/allocator.h"

namespace thinktime {

bool Allocator::place(const Nodes& nodes, const Need& need, Placement& placement) {
  roomy_.clear();
  for (NodeId node = 0; (node = nodes.next_roomy(node, need)) < nodes.size(); ++node)
    roomy_.push_back({node, nodes.units(node, need.unit, need.units), rank(nodes.free(node), nodes.capacity(node))});
  return choose(roomy_, need, placement);
}

std::int64_t Allocator::capacity(const Nodes& nodes, Unit unit) const {
  std::int64_t units = 0;
  for (NodeId node = 0; node < nodes.size(); ++node) units += units_in(nodes.capacity(node), unit);
  return units;
}

bool Allocator::fill(const std::vector<Roomy>& roomy, Processors missing, Placement& placement) {
  placement.clear();
  for (const Roomy& each : roomy) {
    const Processors units = std::min(missing, each.units);
    put(placement, each.node, units);
    if ((missing -= units) == 0) return true;
  }
  return false;
}

}  // namespace thinktime
