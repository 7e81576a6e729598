// List scheduling among those who may be considered now: a job for which the condition does not hold is passed over,
// as if it had not come yet. Whoever is eligible is sorted anew in each pass.
#pragma once
#include <algorithm>
#include <vector>

#include "schedulers/order.h"
#include "schedulers/scheduler.h"

namespace thinktime {

class EligibleList : public Scheduler {
 public:
  EligibleList(Order order, Order condition, bool skip)
      : order_(std::move(order)), condition_(std::move(condition)), skip_(skip) {}

  void submitted(const System&, JobId job) override { queue_.push_back(job); }
  void ended(const System&, JobId) override {}

  void pass(System& system) override {
    const std::size_t before = queue_.size();
    start_in_order(system);
    std::erase_if(queue_, [&](JobId id) { return system.job(id).state != State::queued; });
    ask_again(system, queue_.size() < before);
  }

  void waiting(const System& system, std::vector<JobId>& jobs) const override {
    std::vector<Ranked> all;
    for (const JobId id : queue_) all.push_back(ranked(system, id));
    std::sort(all.begin(), all.end());
    for (const Ranked& job : all) jobs.push_back(job.id);
  }

 private:
  static constexpr Time kFirstWait = 60;     // seconds until the first further question
  static constexpr Time kLongestWait = 1e9;  // after that nobody will become eligible by waiting

  struct Ranked {
    double key;
    std::uint32_t sequence;
    JobId id;
    bool operator<(const Ranked& other) const {
      return key < other.key || (key == other.key && sequence < other.sequence);
    }
  };

  Ranked ranked(const System& system, JobId id) const {
    const Job& job = system.job(id);
    return {order_.key(job, system.now()), job.sequence, id};
  }

  void start_in_order(System& system) {
    eligible_.clear();
    for (const JobId id : queue_)
      if (condition_.key(system.job(id), system.now()) != 0) eligible_.push_back(ranked(system, id));
    std::sort(eligible_.begin(), eligible_.end());
    for (const Ranked& job : eligible_) {
      if (system.job(job.id).processors <= system.free() && system.has_room(job.id)) {
        system.start(job.id);
      } else if (!skip_) {
        return;
      }
    }
  }

  // If nothing else is left to happen: a condition may come to hold as time passes.
  void ask_again(const System& system, bool started) {
    const bool asked_in_vain = system.now() == idle_wake_ && !started;
    wait_ = asked_in_vain ? 2 * wait_ : kFirstWait;
    idle_wake_ = queue_.empty() || wait_ > kLongestWait ? kNever : system.now() + wait_;
  }

  Order order_;
  Order condition_;  // not 0: may be considered
  bool skip_;
  std::vector<JobId> queue_;      // in order of arrival
  std::vector<Ranked> eligible_;  // of this pass
  Time wait_ = kFirstWait;
};

}  // namespace thinktime
