// A power cap as a pool: its size is the cap minus the power of the idle cluster, and each running job takes its share.
// The cap may change with time, by a table that is used once or periodically.
//
// A job starts only if it is expected to fit under every cap until its end. When the cap falls, running jobs continue.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "system/plugin.h"

namespace thinktime {

class PowerCap {
 public:
  // Level k, which bounds the sum of all jobs' shares, holds from time from[k] on (ascending seconds, within the period
  // if there is one). `every` is the period, 0 if there is none.
  PowerCap(std::uint32_t pool, std::vector<Time> from, std::vector<Amount> level, Time every, Time origin)
      : pool_(pool), from_(std::move(from)), level_(std::move(level)), every_(every), origin_(origin) {}

  void begin(Control& control, Time now) {
    most_ = *std::max_element(level_.begin(), level_.end());
    in_force_ = most_;  // the pool's size, used for admission
    follow(control, now);
  }
  // Applies the current level and computes the next change.
  void follow(Control& control, Time now) {
    const Amount level = at(now);
    control.cluster()->shift_pool(pool_, level - in_force_);
    in_force_ = level;
    next_ = after(now);
  }
  Time next() const { return next_; }
  Amount in_force() const { return in_force_; }
  bool changes() const { return level_.size() > 1; }

  // Whether the job fits at some time on the empty cluster.
  bool ever_holds(Amount share, Time length) const {
    for (std::size_t k = 0; k < from_.size(); ++k)
      if (lowest(every_ > 0 ? origin_ + from_[k] : from_[k], length) >= share) return true;
    return false;
  }

  // Whether a job that starts at `from` fits under every later cap, together with the jobs expected to run and with
  // `other` milliwatts until `until`. Shares of running jobs only decrease with time, so the first change to each level
  // decides, and one period is enough. Under each-end-first, a pass may precede the change of its own instant.
  bool holds(Control& control, Amount share, Time from, Time length, Amount other = 0, Time until = -kNever) {
    if (from == next_ && !holds_at(control, share, from, other, until)) return false;
    Time change = after(from);
    for (std::size_t k = 0; k < from_.size() && change < from + length; ++k, change = after(change))
      if (!holds_at(control, share, change, other, until)) return false;
    return true;
  }
  bool holds_at(Control& control, Amount share, Time time, Amount other = 0, Time until = -kNever) {
    return share + taken_after(control, time) + (time < until ? other : 0) <= at(time);
  }
  Time next_change(Time time) const { return after(time); }
  Time period() const { return every_ > 0 ? every_ : kNever; }
  std::uint32_t pool() const { return pool_; }
  void running_changed() { listed_ = false; }

  Amount share(Control& control, JobId id) const {
    for (const PoolUse& use : control.cluster()->pools_of(id))
      if (use.pool == pool_) return use.amount;
    return 0;
  }

 private:
  Time phase(Time time) const {
    return every_ > 0 ? time - origin_ - std::floor((time - origin_) / every_) * every_ : time;
  }
  std::size_t segment(Time time) const {
    const auto at = std::upper_bound(from_.begin(), from_.end(), phase(time));
    return at == from_.begin() ? (every_ > 0 ? from_.size() - 1 : 0) : static_cast<std::size_t>(at - from_.begin() - 1);
  }
  Amount at(Time time) const { return level_[segment(time)]; }

  // The next change after `time`.
  Time after(Time time) const {
    if (!changes()) return kNever;
    if (every_ <= 0) {
      const auto next = std::upper_bound(from_.begin(), from_.end(), time);
      return next == from_.end() ? kNever : *next;
    }
    Time begin = origin_ + std::floor((time - origin_) / every_) * every_;
    for (;; begin += every_)
      for (const Time from : from_)
        if (begin + from > time) return begin + from;
  }

  Amount lowest(Time begin, Time length) const {
    Amount least = at(begin);
    for (Time change = after(begin); change < begin + length; change = after(change)) {
      least = std::min(least, at(change));
      if (every_ > 0 && change - begin > every_) break;
    }
    return least;
  }

  // The shares of the jobs expected to run after `time`.
  Amount taken_after(Control& control, Time time) {
    if (!listed_) list(control);
    const auto later = std::upper_bound(ends_.begin(), ends_.end(), time,
                                        [](Time instant, const Until& each) { return instant < each.end; });
    return later == ends_.end() ? 0 : later->taken;
  }

  void list(Control& control) {
    listed_ = true;
    running_.clear();
    ends_.clear();
    control.system().running(running_);
    for (const JobId id : running_) ends_.push_back({control.system().job(id).expected_end(), share(control, id)});
    std::sort(ends_.begin(), ends_.end(), [](const Until& a, const Until& b) { return a.end < b.end; });
    for (std::size_t i = ends_.size(); i-- > 1;) ends_[i - 1].taken += ends_[i].taken;
  }

  std::uint32_t pool_;
  std::vector<Time> from_;
  std::vector<Amount> level_;
  Time every_, origin_;
  Amount most_ = 0, in_force_ = 0;
  Time next_ = kNever;
  struct Until {
    Time end;      // expected
    Amount taken;  // by this job and all that end later
  };
  std::vector<Until> ends_;     // of running jobs, ascending
  bool listed_ = false;         // ends_ is up to date
  std::vector<JobId> running_;  // scratch memory
};

}  // namespace thinktime
