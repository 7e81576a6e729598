// EASY: promise the head a start; let later jobs pass only if the promise holds. Lifka 1995.
//
// The head's promise is the first instant (shadow) at which the expected ends free enough processors; extra is what
// remains free then. A job that fits now may start if it ends by the shadow, or if it needs no more than the extra
// processors. The queue and the candidates may be in any order.
//
// The Promise decides what a candidate may use: processors (counted_promise.h) or nodes (node_promise.h).
//
// With an eligibility condition (eligible.h), only eligible jobs take part in a pass, as head or as candidates.
#include <optional>
#include <type_traits>

#include "schedulers/counted_promise.h"
#include "schedulers/eligible.h"
#include "schedulers/node_promise.h"
#include "schedulers/waiting_by_size.h"
#include "system/scheduler.h"

namespace thinktime {
namespace {

template <class Promise>
class Easy : public Scheduler {
  static constexpr bool kCounted = std::is_same_v<Promise, CountedPromise>;

 public:
  explicit Easy(const Options& options)
      : candidates_(Order(options.text("backfill_order", options.text("order", "arrival")), options)),
        extra_nodes_(options.flag("extra_nodes", true)),
        recompute_(options.flag("recompute", true)),
        count_ties_(options.flag("count_ties", true)) {
    const Order order(options.text("order", "arrival"), options);
    if (!(order == candidates_.order())) queue_.emplace(order);
    by_arrival_ = candidates_.order() == Order("arrival", options);
    dynamic_ = order.dynamic() || candidates_.order().dynamic() || options.flag("vetoes", false);
    if (const std::string condition = options.text("eligible", ""); !condition.empty()) {
      eligible_.emplace(Order(condition, options));
      dynamic_ = true;
    }
  }

  void submitted(const System& system, JobId job) override {
    if (eligible_) return eligible_->add(job);
    consider(system, job);
    promise_.submitted(system, job);
    arrived_.push_back(job);
  }

  void ended(const System& system, JobId id) override {
    promise_.ended(system, id);
    something_ended_ = true;
  }

  void shrunk(const System& system, const GivenBack& given) override {
    promise_.shrunk(system, given);
    something_ended_ = true;
  }

  void changed(const System&) override { something_ended_ = true; }  // or began: the promise must be recomputed

  void pass(System& system) override {
    if (eligible_) return pass_among_eligible(system);
    if (!candidates_.empty()) {
      if (!the_promise_stands(system)) {
        full_pass(system);
      } else if (promise_.refusals_stand(system) && arrivals_come_last()) {
        backfill_arrivals(system);
      } else {
        backfill(system);
      }
    }
    arrived_.clear();
    something_ended_ = false;
  }

  void waiting(const System& system, std::vector<JobId>& jobs) const override {
    if (eligible_) return eligible_->in_order(system, queue_ ? queue_->order() : candidates_.order(), jobs);
    queue_ ? queue_->jobs(system, jobs) : candidates_.jobs(system, jobs);
  }

 private:
  void consider(const System& system, JobId job) {
    candidates_.add(system, job);
    if (queue_) queue_->add(system, job);
  }

  void pass_among_eligible(System& system) {
    candidates_.clear();
    if (queue_) queue_->clear();
    eligible_->each(system, [&](JobId id) { consider(system, id); });
    if (candidates_.empty()) {
      promised_ = kNoJob;
    } else {
      full_pass(system);
    }
    idle_wake_ = eligible_->ask_again(system, idle_wake_);
  }

  const Waiting& head() { return queue_ ? queue_->front() : candidates_.front(); }

  // If nothing ended and the same head is blocked, the promise is the same. (Without count_ties, a job that starts and
  // ends exactly at the shadow changes what the next promise counts.)
  bool the_promise_stands(const System& system) {
    return !dynamic_ && count_ties_ && !something_ended_ && !system.some_end_now() && promised_ == head().job &&
           (promise_.shadow() >= system.now() || (!recompute_ && kCounted));
  }

  // On a counted machine a start changes no refusal, in any order.
  bool arrivals_come_last() const { return kCounted || by_arrival_; }

  // A job that could not start in the last pass cannot start in this one: free and extra have not grown, and every job
  // would end later. Only the new jobs need a test.
  void backfill_arrivals(System& system) {
    if (arrived_.size() > 1) sort_arrivals(system);
    for (const JobId id : arrived_) {
      if (!gap(system).admits(system.job(id)) || !promise_.admit(system, id)) continue;
      candidates_.erase(system, id);
      leave_and_start(system, id);
    }
  }

  void full_pass(System& system) {
    if (recompute_) promised_ = kNoJob;
    if (recompute_ && !candidates_.some_fit(system.free())) return;  // no job can start, so no promise is needed
    if (candidates_.order().dynamic()) candidates_.refresh(system);
    if (queue_ && queue_->order().dynamic()) queue_->refresh(system);
    start_heads(system);
    if (candidates_.empty()) {
      promised_ = kNoJob;
      return;
    }
    promise_to(system, head().job);
    backfill(system);
  }

  void backfill(System& system) {
    promise_.all_tried_from_now_on();
    const JobId head = promised_;  // also a candidate, but it does not fit
    candidates_.start_harmless([&] { return gap(system); },
                               [&](JobId id) {
                                 if (id == head || !promise_.admit(system, id)) return false;
                                 leave_and_start(system, id);
                                 return true;
                               });
  }

  void start_heads(System& system) {
    while (!candidates_.empty() && head().processors <= system.free() && system.has_room(head().job)) {
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

  void promise_to(const System& system, JobId head) {
    if (recompute_ || head != promised_) {
      promise_.make(system, head, count_ties_);
    } else {
      promise_.keep(system, head);
    }
    promised_ = head;
  }

  Gap gap(const System& system) const {
    Gap gap = promise_.gap(system);
    if (!extra_nodes_) gap.extra = 0;
    return gap;
  }

  // The caller removes the job from `candidates_`.
  void leave_and_start(System& system, JobId id) {
    if (queue_) queue_->erase(system, id);
    launch(system, id);
  }

  void launch(System& system, JobId id) {
    system.start(id);
    promise_.started(system, id);
  }

  // Sorts the new jobs of one instant in the order of candidates.
  void sort_arrivals(const System& system) {
    const Order& order = candidates_.order();
    std::stable_sort(arrived_.begin(), arrived_.end(), [&](JobId a, JobId b) {
      return order.key(a, system.job(a), system.now()) < order.key(b, system.job(b), system.now());
    });
  }

  WaitingBySize candidates_;          // all waiting jobs, in the order of backfilling
  std::optional<WaitingList> queue_;  // the same jobs in the queue's order, if it differs
  std::optional<Eligible> eligible_;  // all waiting jobs, with a condition; each pass refills the two queues above
  bool extra_nodes_;
  bool recompute_;
  bool count_ties_;
  bool by_arrival_;          // candidates are in order of arrival
  bool dynamic_;             // the order or the eligibility changes with time
  JobId promised_ = kNoJob;  // the blocked head that has the promise
  Promise promise_;
  std::vector<JobId> arrived_;  // submitted since the last pass
  bool something_ended_ = false;
};

std::unique_ptr<Scheduler> make_easy(const Options& options) {
  if (options.flag("nodes", false)) return std::make_unique<Easy<NodePromise>>(options);
  return std::make_unique<Easy<CountedPromise>>(options);
}

const RegisterScheduler easy{"easy", make_easy};

}  // namespace
}  // namespace thinktime
