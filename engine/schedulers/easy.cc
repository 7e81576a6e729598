// EASY: promise the head a start; let later jobs pass only if the promise holds. Lifka 1995.
//
// The head's promise is the first instant (shadow) at which the expected ends free enough processors; what is
// free then beyond its need is extra. Any job that fits now may start if it is over by the shadow, or if it
// takes no more than the extra processors. The queue and the candidates may be in any order.
#include <optional>

#include "platform/expected_ends.h"
#include "schedulers/scheduler.h"
#include "schedulers/waiting_list.h"

namespace thinktime {
namespace {

class Easy : public Scheduler {
 public:
  explicit Easy(const Options& options)
      : queue_(Order(options.text("order", "arrival"), options)),
        extra_nodes_(options.flag("extra_nodes", true)),
        recompute_(options.flag("recompute", true)),
        count_ties_(options.flag("count_ties", true)) {
    const Order backfill(options.text("backfill_order", options.text("order", "arrival")), options);
    if (!(backfill == queue_.order())) candidates_.emplace(backfill);
    dynamic_ = queue_.order().dynamic() || backfill.dynamic();
  }

  void submitted(const System& system, JobId job) override {
    queue_.add(system, job);
    if (candidates_) candidates_->add(system, job);
    arrived_.push_back(job);
  }

  void ended(const System& system, JobId id) override {
    running_.remove(release(system.job(id)));
    something_ended_ = true;
  }

  void pass(System& system) override {
    if (!queue_.empty()) {
      if (only_arrivals_matter(system)) {
        backfill_arrivals(system);
      } else {
        full_pass(system);
      }
    }
    arrived_.clear();
    something_ended_ = false;
  }

  void waiting(std::vector<JobId>& jobs) const override { queue_.rows(jobs); }

 private:
  // Nothing ended and the same head is blocked: whoever could not start at the last pass cannot start now, since
  // free and extra have not grown, and every job would be over later. Only the new jobs need a test. (Without
  // count_ties a job that was started to end at the shadow itself changes what the next promise counts.)
  bool only_arrivals_matter(const System& system) const {
    return !dynamic_ && count_ties_ && !something_ended_ && !system.some_end_now() && head_ == queue_.front().job &&
           (promise_.shadow >= system.now() || !recompute_);
  }

  void backfill_arrivals(System& system) {
    if (arrived_.size() > 1) sort_arrivals(system);
    for (const JobId id : arrived_) {
      const Job& job = system.job(id);
      if (!harmless(system, job)) continue;
      charge_extra(system, job);
      start(system, id);
    }
  }

  void full_pass(System& system) {
    if (dynamic_) {
      if (recompute_ && !queue_.valid(queue_.next_fitting(queue_.begin(), system.free()))) return;
      if (queue_.order().dynamic()) queue_.refresh(system);
      if (candidates_ && candidates_->order().dynamic()) candidates_->refresh(system);
    }
    start_heads(system);
    if (queue_.empty()) {
      head_ = kNobody;
      return;
    }
    promise_to(system, queue_.front());
    backfill(system);
  }

  void start_heads(System& system) {
    while (!queue_.empty() && queue_.front().processors <= system.free()) start(system, queue_.front().job);
  }

  void promise_to(const System& system, const Waiting& head) {
    if (recompute_ || head.job != head_)
      promise_ = running_.promise(system.now(), system.really_free(), head.processors, count_ties_);
    head_ = head.job;
  }

  void backfill(System& system) {
    WaitingList& list = candidates_ ? *candidates_ : queue_;
    auto place = list.begin();  // the head is among them, but it does not fit
    for (;;) {
      place = list.next_harmless(place, system.free(), system.now(), promise_.shadow, extra());
      if (!list.valid(place)) return;
      const JobId id = list[place].job;
      charge_extra(system, system.job(id));
      if (candidates_) queue_.erase(system, id);
      place = list.erase(place);
      launch(system, id);
    }
  }

  bool harmless(const System& system, const Job& job) const {
    return job.processors <= system.free() &&
           (system.now() + job.length <= promise_.shadow || job.processors <= extra());
  }

  Processors extra() const { return extra_nodes_ ? promise_.extra : 0; }

  void charge_extra(const System& system, const Job& job) {
    if (!(system.now() + job.length <= promise_.shadow)) promise_.extra -= job.processors;
  }

  void start(System& system, JobId id) {
    queue_.erase(system, id);
    if (candidates_) candidates_->erase(system, id);
    launch(system, id);
  }

  void launch(System& system, JobId id) {
    system.start(id);
    running_.add(release(system.job(id)));
  }

  // New jobs of one instant, in the order in which candidates are tried.
  void sort_arrivals(const System& system) {
    const Order& order = candidates_ ? candidates_->order() : queue_.order();
    std::stable_sort(arrived_.begin(), arrived_.end(), [&](JobId a, JobId b) {
      return order.key(system.job(a), system.now()) < order.key(system.job(b), system.now());
    });
  }

  static Release release(const Job& job) { return {job.expected_end(), job.sequence, job.processors}; }

  WaitingList queue_;
  std::optional<WaitingList> candidates_;  // the same jobs in the backfill order, if that is another one
  ExpectedEnds running_;
  bool extra_nodes_;
  bool recompute_;
  bool count_ties_;
  bool dynamic_;
  JobId head_ = kNobody;                   // who holds the promise
  Promise promise_;
  std::vector<JobId> arrived_;             // joined since the last pass
  bool something_ended_ = false;
};

const RegisterScheduler easy{"easy", [](const Options& options) { return std::make_unique<Easy>(options); }};

}  // namespace
}  // namespace thinktime
