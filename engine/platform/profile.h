// The availability profile: how many processors are free, from now on, if everybody keeps the plan.
//
// Steps lie in two arrays, with the most and the least free of each block of steps beside them, so that a search
// over thousands of steps passes over whole blocks that are too full, or empty enough, throughout.
#pragma once
#include <algorithm>
#include <vector>

#include "core/types.h"

namespace thinktime {

class Profile {
 public:
  explicit Profile(Processors processors) : at_{-kNever}, free_{processors} {}

  // Forgets the past: the first step is then the one that holds now.
  void advance(Time now) {
    while (first_ + 1 < at_.size() && at_[first_ + 1] <= now) ++first_;
    if (first_ > kMostPast) forget_past();
  }

  void take(Time from, Time to, Processors n) { add(from, to, -n); }
  void give(Time from, Time to, Processors n) { add(from, to, n); }

  // The first s in [now, before) with n processors free from s until s + length, or until `before` if that is
  // earlier; `before` if there is none. A job that may keep its own slot asks with before = that slot's start.
  Time earliest(Time now, Time length, Processors n, Time before = kNever) {
    summarize();
    std::size_t k = first_;
    while (end_of(k) <= now) ++k;
    for (;;) {
      k = next_roomy(k, n);
      const Time start = std::max(now, at_[k]);
      if (start >= before) return before;
      k = next_full(k, n, std::min(before, start + length));
      if (k == kNone) return start;
    }
  }

 private:
  static constexpr std::size_t kMostPast = 256;
  static constexpr std::size_t kBlock = 32;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  Time end_of(std::size_t k) const { return k + 1 < at_.size() ? at_[k + 1] : kNever; }

  // The first step from k on with n processors free. There is one: in the end everything is.
  std::size_t next_roomy(std::size_t k, Processors n) const {
    while (free_[k] < n) {
      ++k;
      while (k % kBlock == 0 && most_[k / kBlock] < n) k += kBlock;
    }
    return k;
  }

  // The first step from k on that begins before `until` and has fewer than n processors free; or none.
  std::size_t next_full(std::size_t k, Processors n, Time until) const {
    while (free_[k] >= n) {
      ++k;
      while (k % kBlock == 0 && k + kBlock < at_.size() && least_[k / kBlock] >= n && at_[k] < until) k += kBlock;
      if (k >= at_.size() || at_[k] >= until) return kNone;
    }
    return k;
  }

  void add(Time from, Time to, Processors change) {
    if (!(from < to)) return;
    const std::size_t begin = cut(from);
    const std::size_t end = cut(to);
    for (std::size_t k = begin; k < end; ++k) free_[k] += change;
    join(end);
    join(begin);
    summarized_ = std::min(summarized_, begin / kBlock);
  }

  // The index of the step that begins at `time`, made if there is none.
  std::size_t cut(Time time) {
    const auto after = std::upper_bound(at_.begin() + static_cast<std::ptrdiff_t>(first_) + 1, at_.end(), time);
    const std::size_t k = static_cast<std::size_t>(after - at_.begin());
    if (at_[k - 1] == time) return k - 1;
    const Processors free = free_[k - 1];
    free_.insert(free_.begin() + static_cast<std::ptrdiff_t>(k), free);
    at_.insert(after, time);
    return k;
  }

  // A step that says what the one before it says goes.
  void join(std::size_t k) {
    if (k <= first_ || k >= at_.size() || free_[k] != free_[k - 1]) return;
    at_.erase(at_.begin() + static_cast<std::ptrdiff_t>(k));
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  // Brings the blocks' extremes up to date from the first block that changed.
  void summarize() {
    const std::size_t blocks = (at_.size() + kBlock - 1) / kBlock;
    most_.resize(blocks);
    least_.resize(blocks);
    for (; summarized_ < blocks; ++summarized_) {
      const auto begin = free_.begin() + static_cast<std::ptrdiff_t>(summarized_ * kBlock);
      const auto end = free_.begin() + static_cast<std::ptrdiff_t>(std::min(free_.size(), (summarized_ + 1) * kBlock));
      const auto [least, most] = std::minmax_element(begin, end);
      least_[summarized_] = *least;
      most_[summarized_] = *most;
    }
  }

  void forget_past() {
    at_.erase(at_.begin(), at_.begin() + static_cast<std::ptrdiff_t>(first_));
    free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
    summarized_ = 0;
  }

  std::vector<Time> at_;            // when a step begins
  std::vector<Processors> free_;    // processors free from step k until step k+1
  std::vector<Processors> most_;    // the most free in block b of kBlock steps
  std::vector<Processors> least_;   // the least
  std::size_t summarized_ = 0;      // blocks before this one are up to date
  std::size_t first_ = 0;           // the step that holds now
};

}  // namespace thinktime
