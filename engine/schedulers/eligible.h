// Who may be considered now: those for whom a condition holds. The others are passed over, as if they had not come yet.
//
// The condition is asked of all who wait at the beginning of each pass. Where nothing else is left to happen it is asked
// again after 1, 2, 4, ... minutes, because it may come to hold as time passes.
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

  // visit(job) for each that may be considered now, in order of arrival.
  template <class Visit>
  void each(const System& system, Visit visit) const {
    for (const JobId id : waiting_)
      if (condition_.key(system.job(id), system.now()) != 0) visit(id);
  }

  // After a pass: whoever has started is gone. When to ask again, if nothing else is left to happen.
  Time ask_again(const System& system, Time asked_last) {
    const std::size_t before = waiting_.size();
    std::erase_if(waiting_, [&](JobId id) { return system.job(id).state != State::queued; });
    const bool in_vain = system.now() == asked_last && waiting_.size() == before;
    wait_ = in_vain ? 2 * wait_ : kFirstWait;
    return waiting_.empty() || wait_ > kLongestWait ? kNever : system.now() + wait_;
  }

  // All who wait, by this order.
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
    return {order.key(job, system.now()), job.sequence, id};
  }

 private:
  static constexpr Time kFirstWait = 60;     // seconds until the first further question
  static constexpr Time kLongestWait = 1e9;  // after that nobody will become eligible by waiting

  Order condition_;             // not 0: may be considered
  std::vector<JobId> waiting_;  // in order of arrival
  Time wait_ = kFirstWait;
};

}  // namespace thinktime
