#include "applications/technique.h"

#include <map>

namespace thinktime {
namespace {

// Inside a function, so that it exists before the first technique's file registers itself.
std::map<std::string, TechniqueFactory>& registry() {
  static std::map<std::string, TechniqueFactory> factories;
  return factories;
}

}  // namespace

RegisterTechnique::RegisterTechnique(const std::string& name, TechniqueFactory factory) {
  registry()[name] = std::move(factory);
}

std::unique_ptr<Technique> make_technique(const std::string& name, const Options& options) {
  const auto at = registry().find(name);
  if (at == registry().end()) throw std::invalid_argument("no technique is called " + name);
  return at->second(options);
}

std::vector<std::string> technique_names() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : registry()) names.push_back(name);
  return names;
}

}  // namespace thinktime
