// EASY: promise the head a start; let later jobs pass only if the promise holds. Lifka 1995.
//
// The head's promise is the first instant (shadow) at which the expected ends free enough processors; what is
// free then beyond its need is extra. Any job that fits now may start if it is over by the shadow, or if it
// takes no more than the extra processors. The queue and the candidates may be in any order.
#include <optional>

#include "platform/expected_ends.h"
#include "schedulers/scheduler.h"
#include "schedulers/waiting_by_size.h"

namespace thinktime {
namespace {

class Easy : public Scheduler {
 public:
  explicit Easy(const Options& options)
      : candidates_(Order(options.text("backfill_order", options.text("order", "arrival")), options)),
        extra_nodes_(options.flag("extra_nodes", true)),
        recompute_(options.flag("recompute", true)),
        count_ties_(options.flag("count_ties", true)) {
    const Order order(options.text("order", "arrival"), options);
    if (!(order == candidates_.order())) queue_.emplace(order);
    dynamic_ = order.dynamic() || candidates_.order().dynamic();
  }

  void submitted(const System& system, JobId job) override {
    candidates_.add(system, job);
    if (queue_) queue_->add(system, job);
    arrived_.push_back(job);
  }

  void ended(const System& system, JobId id) override {
    running_.remove(system.job(id));
    something_ended_ = true;
  }

  void pass(System& system) override {
    if (!candidates_.empty()) {
      if (only_arrivals_matter(system)) {
        backfill_arrivals(system);
      } else {
        full_pass(system);
      }
    }
    arrived_.clear();
    something_ended_ = false;
  }

  void waiting(const System& system, std::vector<JobId>& jobs) const override {
    queue_ ? queue_->jobs(system, jobs) : candidates_.jobs(system, jobs);
  }

 private:
  const Waiting& head() { return queue_ ? queue_->front() : candidates_.front(); }

  // Nothing ended and the same head is blocked: whoever could not start at the last pass cannot start now, since
  // free and extra have not grown, and every job would be over later. Only the new jobs need a test. (Without
  // count_ties a job that was started to end at the shadow itself changes what the next promise counts.)
  bool only_arrivals_matter(const System& system) {
    return !dynamic_ && count_ties_ && !something_ended_ && !system.some_end_now() && promised_ == head().job &&
           (promise_.shadow >= system.now() || !recompute_);
  }

  void backfill_arrivals(System& system) {
    if (arrived_.size() > 1) sort_arrivals(system);
    for (const JobId id : arrived_) {
      if (!gap(system).admits(system.job(id))) continue;
      candidates_.erase(system, id);
      start_candidate(system, id);
    }
  }

  void full_pass(System& system) {
    if (recompute_) promised_ = kNobody;
    if (recompute_ && !candidates_.some_fit(system.free())) return;  // nobody can start: no promise is needed
    if (candidates_.order().dynamic()) candidates_.refresh(system);
    if (queue_ && queue_->order().dynamic()) queue_->refresh(system);
    start_heads(system);
    if (candidates_.empty()) {
      promised_ = kNobody;
      return;
    }
    promise_to(system, head());
    // The head is among the candidates, but it does not fit.
    candidates_.start_harmless([&] { return gap(system); }, [&](JobId id) { start_candidate(system, id); });
  }

  void start_heads(System& system) {
    while (!candidates_.empty() && head().processors <= system.free()) {
      const JobId id = head().job;
      if (queue_) {
        queue_->erase(queue_->begin());
        candidates_.erase(system, id);
      } else {
        candidates_.pop_front();
      }
      launch(system, id);
    }
  }

  void promise_to(const System& system, const Waiting& head) {
    if (recompute_ || head.job != promised_)
      promise_ = running_.promise(system.now(), system.really_free(), head.processors, count_ties_);
    promised_ = head.job;
  }

  Gap gap(const System& system) const {
    return {system.now(), promise_.shadow, system.free(), extra_nodes_ ? promise_.extra : 0};
  }

  // It has left `candidates_` already. One that is not over by the shadow uses up extra processors.
  void start_candidate(System& system, JobId id) {
    const Job& job = system.job(id);
    if (!gap(system).over_by_shadow(job)) promise_.extra -= job.processors;
    if (queue_) queue_->erase(system, id);
    launch(system, id);
  }

  void launch(System& system, JobId id) {
    system.start(id);
    running_.add(system.job(id));
  }

  // New jobs of one instant, in the order in which candidates are tried.
  void sort_arrivals(const System& system) {
    const Order& order = candidates_.order();
    std::stable_sort(arrived_.begin(), arrived_.end(), [&](JobId a, JobId b) {
      return order.key(system.job(a), system.now()) < order.key(system.job(b), system.now());
    });
  }

  WaitingBySize candidates_;           // all that wait, in the order in which they are tried
  std::optional<WaitingList> queue_;   // the same jobs in the queue's order, if that is another one
  ExpectedEnds running_;
  bool extra_nodes_;
  bool recompute_;
  bool count_ties_;
  bool dynamic_;
  JobId promised_ = kNobody;           // the blocked head, who holds the promise
  Promise promise_;
  std::vector<JobId> arrived_;         // joined since the last pass
  bool something_ended_ = false;
};

const RegisterScheduler easy{"easy", [](const Options& options) { return std::make_unique<Easy>(options); }};

}  // namespace
}  // namespace thinktime
