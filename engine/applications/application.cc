#include "applications/application.h"

#include <map>
#include <stdexcept>

namespace thinktime {
namespace {

// Inside a function, so that it exists before the first model's file registers itself.
std::map<std::string, ApplicationFactory>& registry() {
  static std::map<std::string, ApplicationFactory> factories;
  return factories;
}

}  // namespace

RegisterApplication::RegisterApplication(const std::string& name, ApplicationFactory factory) {
  registry()[name] = std::move(factory);
}

std::unique_ptr<Application> make_application(const std::string& name, const Plan& plan) {
  const auto at = registry().find(name);
  if (at == registry().end()) throw std::invalid_argument("no application model is called " + name);
  return at->second(plan);
}

}  // namespace thinktime
