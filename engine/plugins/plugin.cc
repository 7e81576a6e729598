#include "plugins/plugin.h"

namespace thinktime {
namespace {

// Inside a function, so that it exists before the first plugin's file registers itself.
std::map<std::string, PluginFactory>& registry() {
  static std::map<std::string, PluginFactory> factories;
  return factories;
}

}  // namespace

RegisterPlugin::RegisterPlugin(const std::string& name, PluginFactory factory) { registry()[name] = std::move(factory); }

std::unique_ptr<Plugin> make_plugin(const std::string& name, const Plan& plan) {
  const auto at = registry().find(name);
  if (at == registry().end()) throw std::invalid_argument("no plugin is called " + name);
  return at->second(plan);
}

}  // namespace thinktime
