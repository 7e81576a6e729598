// Eligible jobs: those for which a condition holds now. A pass ignores the others.
//
// The condition is evaluated for all waiting jobs at the beginning of each pass. If no other event is left, it is
// evaluated again after 1, 2, 4, ... minutes, because it may become true with time.
#pragma once
#include <algorithm>
#include <vector>

#include "schedulers/order.h"
#include "system/system.h"

namespace thinktime {

class Eligible {
 public:
  explicit Eligible(Order condition) : condition_(std::move(condition)) {}

  void add(JobId job) { waiting_.push_back(job); }

  // Calls visit(job) for each eligible job, in order of arrival.
  template <class Visit>
  void each(const System& system, Visit visit) const {
    for (const JobId id : waiting_)
      if (condition_.key(id, system.job(id), system.now()) != 0) visit(id);
  }

  // Call after a pass: removes started jobs. Returns when to evaluate again if no other event is left.
  Time ask_again(const System& system, Time asked_last) {
    const std::size_t before = waiting_.size();
    std::erase_if(waiting_, [&](JobId id) { return system.job(id).state != State::queued; });
    const bool in_vain = system.now() == asked_last && waiting_.size() == before;
    wait_ = in_vain ? 2 * wait_ : kFirstWait;
    return waiting_.empty() || wait_ > kLongestWait ? kNever : system.now() + wait_;
  }

  // All waiting jobs in this order.
  void in_order(const System& system, const Order& order, std::vector<JobId>& jobs) const {
    std::vector<Ranked> all;
    for (const JobId id : waiting_) all.push_back(ranked(system, order, id));
    std::sort(all.begin(), all.end());
    for (const Ranked& job : all) jobs.push_back(job.id);
  }

  struct Ranked {
    double key;
    std::uint32_t sequence;
    JobId id;
    bool operator<(const Ranked& other) const {
      return key < other.key || (key == other.key && sequence < other.sequence);
    }
  };

  static Ranked ranked(const System& system, const Order& order, JobId id) {
    const Job& job = system.job(id);
    return {order.key(id, job, system.now()), job.sequence, id};
  }

 private:
  static constexpr Time kFirstWait = 60;     // seconds until the first evaluation without an event
  static constexpr Time kLongestWait = 1e9;  // after that no job becomes eligible by waiting

  Order condition_;             // not 0: eligible
  std::vector<JobId> waiting_;  // in order of arrival
  Time wait_ = kFirstWait;
};

}  // namespace thinktime
