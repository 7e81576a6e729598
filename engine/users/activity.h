// When users work: the sessions of the log by user, from first to last submission. After a user's last session all of
// them repeat, shifted by the smallest whole number of weeks that puts the first after the last. Zakay and Feitelson
// 2014.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/plan.h"
#include "core/types.h"

namespace thinktime {

class Activity {
 public:
  struct Place {
    bool inside;  // a session
    Time next;    // inside: now; outside: when the next session begins
  };

  Activity() = default;
  Activity(const Plan& plan, std::size_t users)
      : week_(plan.options.number("week_s", 0)),
        begins_(plan.times("session_begin_s").begin(), plan.times("session_begin_s").end()) {
    const auto ends = plan.times("session_end_s", begins_.size());
    ends_.assign(ends.begin(), ends.end());
    const auto starts = plan.starts("session_start", users, begins_.size());
    starts_.assign(starts.begin(), starts.end());
  }

  Place at(std::size_t user, Time now) const {
    const auto first = static_cast<std::size_t>(starts_[user]), past = static_cast<std::size_t>(starts_[user + 1]);
    const double period = (std::floor((ends_[past - 1] - begins_[first]) / week_) + 1) * week_;
    const double again = std::max(0.0, std::floor((now - begins_[first]) / period));
    const Time shift = again * period;
    const auto begin = begins_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begins_.begin() + static_cast<std::ptrdiff_t>(past);
    const auto later = std::partition_point(begin, end, [&](Time b) { return b + shift <= now + kRounding; });
    if (later != begin && now <= ends_[static_cast<std::size_t>(later - begins_.begin()) - 1] + shift + kRounding)
      return {true, now};
    return {false, later == end ? begins_[first] + (again + 1) * period : *later + shift};
  }

 private:
  static constexpr Time kRounding = 1e-6;  // tolerance for rounding at the borders of sessions

  double week_ = 0;
  std::vector<Time> begins_, ends_;   // of sessions, by user
  std::vector<std::int64_t> starts_;  // index of each user's first session
};

}  // namespace thinktime
