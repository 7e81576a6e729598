// The availability profile: how many processors are free, from now on, if everybody keeps the plan.
#pragma once
#include <vector>

#include "core/types.h"

namespace thinktime {

class Profile {
 public:
  explicit Profile(Processors processors) : steps_{{-kNever, processors}} {}

  // Forgets the past: the first step is then the one that holds now.
  void advance(Time now) {
    while (first_ + 1 < steps_.size() && steps_[first_ + 1].at <= now) ++first_;
    if (first_ > kMostPast) {
      steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }

  void take(Time from, Time to, Processors n) { add(from, to, -n); }
  void give(Time from, Time to, Processors n) { add(from, to, n); }

  // The first s in [now, before) with n processors free from s until s + length, or until `before` if that is
  // earlier; `before` if there is none. A job that may keep its own slot asks with before = that slot's start.
  Time earliest(Time now, Time length, Processors n, Time before = kNever) const {
    Time start = now;
    for (std::size_t k = first_; start < before; ++k) {
      const Time end = k + 1 < steps_.size() ? steps_[k + 1].at : kNever;
      if (end <= start) continue;  // over before we begin to look
      if (steps_[k].free < n) {
        start = end;
      } else if (end >= start + length || end >= before) {
        return start;
      }
    }
    return before;
  }

 private:
  struct Step {
    Time at;
    Processors free;  // processors free from here until the next step
  };
  static constexpr std::size_t kMostPast = 256;

  void add(Time from, Time to, Processors change) {
    if (!(from < to)) return;
    const std::size_t begin = cut(from);
    const std::size_t end = cut(to);
    for (std::size_t k = begin; k < end; ++k) steps_[k].free += change;
    join(end);
    join(begin);
  }

  // The index of the step that begins at `time`, made if there is none.
  std::size_t cut(Time time) {
    std::size_t low = first_, high = steps_.size();
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (steps_[middle].at <= time ? low : high) = middle;
    }
    if (steps_[low].at == time) return low;
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(low) + 1, {time, steps_[low].free});
    return low + 1;
  }

  // A step that says what the one before it says goes.
  void join(std::size_t k) {
    if (k > first_ && k < steps_.size() && steps_[k].free == steps_[k - 1].free)
      steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  std::vector<Step> steps_;
  std::size_t first_ = 0;
};

}  // namespace thinktime
