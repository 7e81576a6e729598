// List scheduling among the eligible jobs (eligible.h), sorted in each pass.
#pragma once
#include <algorithm>
#include <vector>

#include "schedulers/eligible.h"
#include "system/scheduler.h"

namespace thinktime {

class EligibleList : public Scheduler {
 public:
  EligibleList(Order order, Order condition, bool skip)
      : order_(std::move(order)), eligible_(std::move(condition)), skip_(skip) {}

  void submitted(const System&, JobId job) override { eligible_.add(job); }
  void ended(const System&, JobId) override {}

  void pass(System& system) override {
    start_in_order(system);
    idle_wake_ = eligible_.ask_again(system, idle_wake_);
  }

  void waiting(const System& system, std::vector<JobId>& jobs) const override {
    eligible_.in_order(system, order_, jobs);
  }

 private:
  void start_in_order(System& system) {
    considered_.clear();
    eligible_.each(system, [&](JobId id) { considered_.push_back(Eligible::ranked(system, order_, id)); });
    std::sort(considered_.begin(), considered_.end());
    for (const Eligible::Ranked& job : considered_) {
      if (system.job(job.id).processors <= system.free() && system.has_room(job.id)) {
        system.start(job.id);
      } else if (!skip_) {
        return;
      }
    }
  }

  Order order_;
  Eligible eligible_;
  bool skip_;
  std::vector<Eligible::Ranked> considered_;  // in this pass
};

}  // namespace thinktime
