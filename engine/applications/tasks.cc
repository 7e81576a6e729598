#include "applications/tasks.h"

#include <cmath>
#include <stdexcept>

#include "applications/deviates.h"

namespace thinktime {

constexpr double kMostPerCore = 1e6;

Tasks::Tasks(const Plan& plan)
    : per_core_(plan.options.number("tasks_per_core", 1)),
      variation_(plan.options.number("variation", 0)),
      law_(law_of(plan.options.text("distribution", "normal"), variation_)),
      low_(std::stoull(plan.options.text("tasks_low", "0"))),
      high_(std::stoull(plan.options.text("tasks_high", "0"))) {
  Plan::require(per_core_ >= 1 && per_core_ <= kMostPerCore, "tasks_per_core", "is not between 1 and 1,000,000");
  Plan::require(variation_ >= 0 && std::isfinite(variation_), "variation", "is below 0");
  if (!plan.options.flag("given", false)) return;
  lengths_ = copied(plan.times("task_s"));
  start_ = copied(plan.indices("task_start"));
  plan.starts("task_start", start_.size() - 1, lengths_.size());
  for (const double length : lengths_) Plan::require(length > 0 && std::isfinite(length), "task_s", "is not above 0");
}

Tasks::Law Tasks::law_of(const std::string& name, double variation) {
  if (variation == 0) return Law::equal;
  if (name == "normal") return Law::normal;
  if (name == "gamma") return Law::gamma;
  if (name == "exponential") return Law::exponential;
  throw std::invalid_argument("unknown distribution of task lengths: " + name);
}

bool Tasks::given(const Work& work, std::vector<double>& lengths) const {
  if (work.row + std::size_t{1} >= start_.size() || start_[work.row] == start_[work.row + 1]) return false;
  lengths.assign(lengths_.begin() + start_[work.row], lengths_.begin() + start_[work.row + 1]);
  return true;
}

void Tasks::draw(const Work& work, std::vector<double>& lengths) const {
  lengths.clear();
  const double mean = this->mean(work), all = work.each * work.processors;
  if (given(work, lengths) || !(mean > 0)) return;  // no tasks if the work is 0 or underflows
  if (law_ == Law::equal) {
    lengths.assign(static_cast<std::size_t>(per_core_) * static_cast<std::size_t>(work.processors), mean);
    return;
  }
  Philox random(low_, high_ + work.row);
  for (double sum = 0; sum < all; sum += lengths.back()) lengths.push_back(draw_one(random, mean));
}

double Tasks::draw_one(Philox& random, double mean) const {
  for (;;) {
    double length = 0;
    switch (law_) {
      case Law::normal: length = mean * (1.0 + variation_ * standard_normal(random)); break;
      case Law::gamma:
        length = mean * (variation_ * variation_ * standard_gamma(random, 1.0 / (variation_ * variation_)));
        break;
      default: length = mean * standard_exponential(random);
    }
    if (length > 0) return length;
  }
}

}  // namespace thinktime
