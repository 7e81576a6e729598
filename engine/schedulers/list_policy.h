// List scheduling: start from the head of the sorted queue while it fits; stop at the first that does not.
// With skip, continue and start every job that fits (greedy list scheduling).
#pragma once
#include "schedulers/waiting_list.h"
#include "system/scheduler.h"

namespace thinktime {

class ListPolicy : public Scheduler {
 public:
  ListPolicy(Order order, bool skip) : queue_(order), skip_(skip) {}

  void submitted(const System& system, JobId job) override { queue_.add(system, job); }
  void ended(const System&, JobId) override {}

  void pass(System& system) override {
    if (queue_.empty()) return;
    if (queue_.order().dynamic()) {
      if (!queue_.valid(queue_.next_fitting(queue_.begin(), system.free()))) return;
      queue_.refresh(system);
    }
    if (skip_) {
      start_all_that_fit(system);
    } else {
      start_heads(system);
    }
  }

  void waiting(const System& system, std::vector<JobId>& jobs) const override { queue_.jobs(system, jobs); }

 private:
  void start_heads(System& system) {
    while (!queue_.empty() && queue_.front().processors <= system.free() && system.has_room(queue_.front().job))
      start(system, queue_.begin());
  }

  void start_all_that_fit(System& system) {
    auto place = queue_.begin();
    while (queue_.valid(place = queue_.next_fitting(place, system.free()))) {
      if (system.has_room(queue_[place].job)) {
        place = start(system, place);
      } else {
        ++place.offset;
      }
    }
  }

  WaitingList::Place start(System& system, WaitingList::Place place) {
    system.start(queue_[place].job);
    return queue_.erase(place);
  }

  WaitingList queue_;
  bool skip_;
};

}  // namespace thinktime
