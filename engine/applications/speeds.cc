#include "applications/speeds.h"

#include <algorithm>
#include <cmath>

namespace thinktime {

Speeds::Speeds(const Plan& plan) {
  if (plan.options.flag("unequal", false)) speeds_ = copied(plan.times("speeds"));
  for (const double speed : speeds_) Plan::require(speed > 0 && std::isfinite(speed), "speeds", "is not above 0");
  if (!plan.options.flag("slowed", false)) return;
  const Plan::Times from = plan.times("slow_from_s"), until = plan.times("slow_until_s", from.size());
  const Plan::Times factor = plan.times("slow_factor", from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    Plan::require(from[k] <= until[k] && factor[k] > 0, "slow_factor",
                  "is not above 0, or its window ends before it begins");
    windows_.push_back({from[k], until[k], factor[k]});
  }
  first_ = copied(plan.indices("slow_first"));
  plan.starts("slow_first", first_.size() - 1, windows_.size());
}

Time Speeds::through_windows(Core core, Time start, Time from, double work) const {
  const double usual = of(core);
  if (core + std::size_t{1} >= first_.size()) return from + work / usual;
  Time at = from;
  for (std::int64_t k = first_[core]; k < first_[core + 1]; ++k) {
    const Window& window = windows_[static_cast<std::size_t>(k)];
    const Time begin = window.from - start, end = window.until - start;
    if (end <= at) continue;
    if (at < begin) {  // at normal speed until the window begins
      const double possible = (begin - at) * usual;
      if (work <= possible) return at + work / usual;
      work -= possible;
      at = begin;
    }
    const double slow = usual * window.factor, possible = (end - at) * slow;
    if (work <= possible) return at + work / slow;
    work -= possible;
    at = end;
  }
  return at + work / usual;
}

}  // namespace thinktime
