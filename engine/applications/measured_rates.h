// Measured speeds of the cores: tasks per second, 0 until measured.
#pragma once
#include <cmath>

#include "applications/sum_tree.h"

namespace thinktime {

class MeasuredRates {
 public:
  void begin(std::int32_t cores) {
    rates_.begin(cores);
    measured_ = 0;
  }

  void set(std::int32_t core, double time_per_task) {
    const double rate = time_per_task > 0 ? 1.0 / time_per_task : 0.0;
    const double known = std::isfinite(rate) ? rate : 0.0;
    measured_ += (known > 0) - (rates_[core] > 0);
    rates_.set(core, known);
  }

  double operator[](std::int32_t core) const { return rates_[core]; }
  double sum() const { return rates_.sum(); }
  double measured() const { return static_cast<double>(measured_); }  // number of cores

 private:
  SumTree rates_;
  std::int32_t measured_ = 0;
};

}  // namespace thinktime
