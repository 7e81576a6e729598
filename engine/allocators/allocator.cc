#include "allocators/allocator.h"

#include <limits>
#include <map>

namespace thinktime {
namespace {

// Inside a function, so that it exists before the first policy file registers itself.
std::map<std::string, AllocatorFactory>& registry() {
  static std::map<std::string, AllocatorFactory> factories;
  return factories;
}

}  // namespace

bool Allocator::place(const Nodes& nodes, const Need& need, Placement& placement) {
  roomy_.clear();
  for (NodeId node = 0; (node = nodes.next_roomy(node, need)) < nodes.size(); ++node)
    roomy_.push_back({node, nodes.units(node, need.unit, need.units), rank(nodes.free(node), nodes.capacity(node))});
  return choose(roomy_, need, placement);
}

std::int64_t Allocator::capacity(const Nodes& nodes, Unit unit) const {
  std::int64_t units = 0;
  for (NodeId node = 0; node < nodes.size(); ++node)
    units += units_in(nodes.capacity(node), unit, std::numeric_limits<Processors>::max());
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

RegisterAllocator::RegisterAllocator(const std::string& name, AllocatorFactory factory) {
  registry()[name] = std::move(factory);
}

std::unique_ptr<Allocator> make_allocator(const std::string& name, const Nodes& nodes, const Options& options) {
  const auto at = registry().find(name);
  if (at == registry().end()) throw std::invalid_argument("no allocator is called " + name);
  return at->second(nodes, options);
}

std::vector<std::string> allocator_names() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : registry()) names.push_back(name);
  return names;
}

}  // namespace thinktime
