// A compensated sum (Neumaier 1974).
#pragma once
#include <cmath>

namespace thinktime {

class Sum {
 public:
  void add(double number) {
    const double next = sum_ + number;
    rest_ += std::abs(sum_) >= std::abs(number) ? (sum_ - next) + number : (number - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + rest_; }
  // The difference to an earlier value of the sum.
  double since(const Sum& earlier) const { return (sum_ - earlier.sum_) + (rest_ - earlier.rest_); }

 private:
  double sum_ = 0, rest_ = 0;  // rest: the accumulated rounding errors
};

}  // namespace thinktime
