// The plugins of a simulation, called in the order in which they were given.
#pragma once
#include <memory>
#include <vector>

#include "system/plugin.h"
#include "system/system.h"

namespace thinktime {

class Plugins : public Hooks {
 public:
  Plugins(Control& control, std::vector<std::unique_ptr<Plugin>> plugins)
      : control_(control), plugins_(std::move(plugins)) {}
  void begin() {
    each([&](Plugin& plugin) { plugin.begin(control_); });
  }

  void loaded(std::size_t plugin, std::span<const JobId> jobs, const Plan& numbers) {
    plugins_[plugin]->loaded(jobs, numbers);
  }

  Time next() const {
    Time next = kNever;
    for (const auto& plugin : plugins_) next = std::min(next, plugin->next());
    return next;
  }
  void act(Time now) {
    for (auto& plugin : plugins_)
      while (plugin->next() == now) plugin->act(control_);
  }

  bool admits(JobId id) {
    return std::all_of(plugins_.begin(), plugins_.end(), [&](auto& plugin) { return plugin->admits(control_, id); });
  }
  bool allows(JobId id) override {
    return std::all_of(plugins_.begin(), plugins_.end(), [&](auto& plugin) { return plugin->allows(control_, id); });
  }
  Time delay(JobId id) override {
    Time longest = 0;
    for (auto& plugin : plugins_) longest = std::max(longest, plugin->delay(control_, id));
    return longest;
  }
  void started(JobId id) override {
    each([&](Plugin& plugin) { plugin.started(control_, id); });
  }
  void submitted(JobId id) {
    each([&](Plugin& plugin) { plugin.submitted(control_, id); });
  }
  void shrunk(const GivenBack& given) {
    each([&](Plugin& plugin) { plugin.shrunk(control_, given); });
  }
  void ending(JobId id) {
    each([&](Plugin& plugin) { plugin.ending(control_, id); });
  }
  void closed(NodeId node, bool broken) {
    each([&](Plugin& plugin) { plugin.closed(control_, node, broken); });
  }
  void opened(NodeId node, bool broken) {
    each([&](Plugin& plugin) { plugin.opened(control_, node, broken); });
  }
  void ended(JobId id) {
    each([&](Plugin& plugin) { plugin.ended(control_, id); });
  }
  void before_pass() {
    each([&](Plugin& plugin) { plugin.before_pass(control_); });
  }
  void after_pass() {
    each([&](Plugin& plugin) { plugin.after_pass(control_); });
  }
  void finish() {
    each([&](Plugin& plugin) { plugin.finish(control_); });
  }
  const std::vector<std::unique_ptr<Plugin>>& all() const { return plugins_; }

 private:
  template <class Tell>
  void each(Tell tell) {
    for (auto& plugin : plugins_) tell(*plugin);
  }

  Control& control_;
  std::vector<std::unique_ptr<Plugin>> plugins_;
};

}  // namespace thinktime
