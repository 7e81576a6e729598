// Rounding of sizes to numbers of tasks, and the batches that several techniques count.
#pragma once
#include <cmath>
#include <cstdint>

namespace thinktime {

inline std::int64_t ceil_divided(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The integer part, at least 1 and at most the remaining tasks; all remaining tasks if x is NaN.
inline std::int64_t whole(double x, std::int64_t remaining) {
  if (x < 1) return 1;
  return x < static_cast<double>(remaining) ? static_cast<std::int64_t>(x) : remaining;
}

inline std::int64_t rounded_up(double x, std::int64_t remaining) { return whole(std::ceil(x), remaining); }

// The nearest number of tasks; as in DLS4LB, halves and slightly less are rounded up.
inline std::int64_t rounded(double x, std::int64_t remaining) { return whole(x + 0.55, remaining); }

// Batches of P requests: batch 0 is the first P requests, and so on.
class Batches {
 public:
  void begin(std::int32_t cores) {
    cores_ = cores;
    left_ = 0;
    batch_ = -1;
  }

  // Counts a request. True if it is the first of a batch.
  bool next() {
    const bool first = left_ == 0;
    if (first) {
      left_ = cores_;
      ++batch_;
    }
    --left_;
    return first;
  }

  std::int64_t batch() const { return batch_; }  // of the last request

 private:
  std::int32_t cores_ = 1;
  std::int32_t left_ = 0;  // requests until the next batch
  std::int64_t batch_ = -1;
};

}  // namespace thinktime
