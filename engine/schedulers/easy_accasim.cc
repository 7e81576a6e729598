// EASY as implemented in AccaSim 1.0 to 1.1.3: the head's reservation is made once, and no candidate is tested against
// it, so every job that fits starts. The head itself is tried again only from the reserved time on.
//
// The reserved time is not an event: the head is tried at the first submission or end at or after it. A failed try
// leaves the reservation unchanged.
#include "schedulers/counted_promise.h"
#include "schedulers/node_promise.h"
#include "schedulers/waiting_list.h"
#include "system/scheduler.h"

namespace thinktime {
namespace {

template <class Promise>
class EasyAccasim : public Scheduler {
 public:
  explicit EasyAccasim(const Options& options) : queue_(Order("arrival", options)) {}

  void submitted(const System& system, JobId job) override { queue_.add(system, job); }
  void ended(const System& system, JobId id) override { promise_.ended(system, id); }
  void shrunk(const System& system, const GivenBack& given) override { promise_.shrunk(system, given); }

  void changed(const System&) override { head_reserved_ = false; }

  void pass(System& system) override {
    if (queue_.empty()) return;
    if (!head_reserved_ || system.now() >= reserved_ || reserved_ == kNever) try_heads(system);
    if (head_reserved_) fill(system);
    idle_wake_ = head_reserved_ && reserved_ > system.now() ? reserved_ : kNever;
  }

  void waiting(const System& system, std::vector<JobId>& jobs) const override { queue_.jobs(system, jobs); }

 private:
  void try_heads(System& system) {
    while (!queue_.empty() && queue_.front().processors <= system.free() && system.has_room(queue_.front().job)) {
      head_reserved_ = false;
      start(system, queue_.begin());
    }
    if (queue_.empty() || (head_reserved_ && reserved_ != kNever)) return;
    promise_.make(system, queue_.front().job, true);
    reserved_ = promise_.shadow();
    head_reserved_ = true;
  }

  void fill(System& system) {
    auto place = queue_.begin();
    ++place.offset;  // all jobs except the head
    while (queue_.valid(place = queue_.next_fitting(place, system.free()))) {
      if (system.has_room(queue_[place].job)) {
        place = start(system, place);
      } else {
        ++place.offset;
      }
    }
  }

  WaitingList::Place start(System& system, WaitingList::Place place) {
    const JobId id = queue_[place].job;
    const auto next = queue_.erase(place);
    system.start(id);
    promise_.started(system, id);
    return next;
  }

  WaitingList queue_;
  Promise promise_;
  bool head_reserved_ = false;
  Time reserved_ = kNever;
};

std::unique_ptr<Scheduler> make_easy_accasim(const Options& options) {
  if (options.flag("nodes", false)) return std::make_unique<EasyAccasim<NodePromise>>(options);
  return std::make_unique<EasyAccasim<CountedPromise>>(options);
}

const RegisterScheduler easy_accasim{"easy-accasim-1.0", make_easy_accasim};

}  // namespace
}  // namespace thinktime
