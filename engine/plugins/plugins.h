// The plugins of a simulation, asked one after the other in the order in which they were given.
#pragma once
#include <memory>
#include <vector>

#include "plugins/plugin.h"
#include "schedulers/system.h"

namespace thinktime {

class Plugins : public Hooks {
 public:
  Plugins(Simulation& simulation, std::vector<std::unique_ptr<Plugin>> plugins)
      : simulation_(simulation), plugins_(std::move(plugins)) {}
  void begin() { each([&](Plugin& plugin) { plugin.begin(simulation_); }); }

  Time next() const {
    Time next = kNever;
    for (const auto& plugin : plugins_) next = std::min(next, plugin->next());
    return next;
  }
  void act(Time now) {
    for (auto& plugin : plugins_)
      while (plugin->next() == now) plugin->act(simulation_);
  }

  bool admits(JobId id) {
    return std::all_of(plugins_.begin(), plugins_.end(), [&](auto& plugin) { return plugin->admits(simulation_, id); });
  }
  bool allows(JobId id) override {
    return std::all_of(plugins_.begin(), plugins_.end(), [&](auto& plugin) { return plugin->allows(simulation_, id); });
  }
  Time delay(JobId id) override {
    Time longest = 0;
    for (auto& plugin : plugins_) longest = std::max(longest, plugin->delay(simulation_, id));
    return longest;
  }
  void started(JobId id) override { each([&](Plugin& plugin) { plugin.started(simulation_, id); }); }
  void submitted(JobId id) { each([&](Plugin& plugin) { plugin.submitted(simulation_, id); }); }
  void shrunk(const GivenBack& given) { each([&](Plugin& plugin) { plugin.shrunk(simulation_, given); }); }
  void ending(JobId id) { each([&](Plugin& plugin) { plugin.ending(simulation_, id); }); }
  void closed(NodeId node, bool broken) { each([&](Plugin& plugin) { plugin.closed(simulation_, node, broken); }); }
  void opened(NodeId node, bool broken) { each([&](Plugin& plugin) { plugin.opened(simulation_, node, broken); }); }
  void ended(JobId id) { each([&](Plugin& plugin) { plugin.ended(simulation_, id); }); }
  void before_pass() { each([&](Plugin& plugin) { plugin.before_pass(simulation_); }); }
  void after_pass() { each([&](Plugin& plugin) { plugin.after_pass(simulation_); }); }
  void finish() { each([&](Plugin& plugin) { plugin.finish(simulation_); }); }
  const std::vector<std::unique_ptr<Plugin>>& all() const { return plugins_; }

 private:
  template <class Tell>
  void each(Tell tell) {
    for (auto& plugin : plugins_) tell(*plugin);
  }

  Simulation& simulation_;
  std::vector<std::unique_ptr<Plugin>> plugins_;
};

}  // namespace thinktime
