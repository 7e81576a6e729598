#include "schedulers/scheduler.h"

#include <map>

namespace thinktime {
namespace {

// Inside a function, so that it exists before the first policy file registers itself.
std::map<std::string, SchedulerFactory>& registry() {
  static std::map<std::string, SchedulerFactory> factories;
  return factories;
}

}  // namespace

RegisterScheduler::RegisterScheduler(const std::string& name, SchedulerFactory factory) {
  registry()[name] = std::move(factory);
}

std::unique_ptr<Scheduler> make_scheduler(const std::string& name, const Options& options) {
  const auto at = registry().find(name);
  if (at == registry().end()) throw std::invalid_argument("no scheduler is called " + name);
  return at->second(options);
}

std::vector<std::string> scheduler_names() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : registry()) names.push_back(name);
  return names;
}

}  // namespace thinktime
