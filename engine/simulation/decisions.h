// The real time of scheduling passes, and of the simulation between passes: one row per timed pass.
//
// On request every pass is timed. Otherwise passes 0, s, 2s, … are: the step s begins at 1 and doubles whenever the
// rows reach their limit, and every second row is dropped. So the rows are always a regular sample of all passes so
// far, short runs are known well, and long ones cost little time and memory.
#pragma once
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/types.h"

namespace thinktime {

struct Decision {
  Time time;                  // the simulated instant of the pass
  std::int64_t queued_jobs;   // before the pass, with what was submitted at this instant
  double seconds;             // real time of the pass
  double rest;                // real time between the last pass and this one; 0 in a sample
  std::int64_t memory_bytes;  // held by the process when last sampled; 0 if unknown
};

class Decisions {
 public:
  explicit Decisions(bool every_pass) : every_pass_(every_pass) {}

  // `pass` counts from 0.
  bool timed(std::uint64_t pass) const { return (pass & (step_ - 1)) == 0; }

  void add(const Decision& row) {
    rows_.push_back(row);
    if (!every_pass_ && rows_.size() == limit()) thin_out();
  }

  const std::vector<Decision>& rows() const { return rows_; }
  // Hands out the rows: of every pass at any time, of a sample when the simulation has ended.
  std::vector<Decision> take() {
    taken_s_ = seconds();
    taken_ += rows_.size();
    return std::exchange(rows_, {});
  }

  std::uint64_t count() const { return taken_ + rows_.size(); }
  double seconds() const {  // of all rows
    return std::accumulate(rows_.begin(), rows_.end(), taken_s_,
                           [](double sum, const Decision& row) { return sum + row.seconds; });
  }

 private:
  static constexpr std::uint64_t kUsualStep = 256;      // up to here few rows are enough, from here many are cheap
  static constexpr std::size_t kRowsAtFirst = 64;       // while the step is smaller than kUsualStep
  static constexpr std::size_t kRowsAtMost = 1U << 14;  // 640 kB

  std::size_t limit() const { return step_ < kUsualStep ? kRowsAtFirst : kRowsAtMost; }

  void thin_out() {
    for (std::size_t row = 1; 2 * row < rows_.size(); ++row) rows_[row] = rows_[2 * row];
    rows_.resize((rows_.size() + 1) / 2);
    step_ *= 2;
  }

  bool every_pass_;
  std::uint64_t step_ = 1;  // a power of two; 1 if every pass is timed
  std::vector<Decision> rows_;
  std::uint64_t taken_ = 0;  // rows handed out
  double taken_s_ = 0;
};

}  // namespace thinktime
