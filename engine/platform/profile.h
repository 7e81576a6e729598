// The availability profile: free processors over time, if every job keeps to the plan.
//
// The steps are in blocks of bounded size with the maximum and minimum of each. A search skips whole blocks. A change
// touches the steps of at most two blocks; the blocks between them store a shift.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "core/types.h"

namespace thinktime {

class Profile {
 public:
  explicit Profile(Processors processors) {
    blocks_.push_back(std::make_unique<Block>());
    blocks_[0]->size = 1;
    blocks_[0]->at[0] = -kNever;
    blocks_[0]->free[0] = processors;
    blocks_[0]->summarize();
    begins_.push_back(-kNever);
  }

  // Drops the past, one block at a time.
  void advance(Time now) {
    std::size_t past = 0;
    while (past + 1 < blocks_.size() && begins_[past + 1] <= now) ++past;
    if (past > 0) remove(0, past);
  }

  void take(Time from, Time to, Processors n) { add(from, to, -n); }
  void give(Time from, Time to, Processors n) { add(from, to, n); }

  // The first s in [now, before) with n processors free from s until s + length, or until `before` if that is
  // earlier; `before` if there is none. A job that may keep its slot passes the start of that slot as `before`.
  Time earliest(Time now, Time length, Processors n, Time before = kNever) const {
    Place place = last_before_or_at(now);
    for (;;) {
      place = next_roomy(place, n);
      const Time start = std::max(now, at(place));
      if (start >= before) return before;
      place = next_full(place, n, std::min(before, start + length));
      if (place.block == kNone) return start;
    }
  }

  // Processors free just before `time`. Successive calls with close times are fast.
  Processors free_before(Time time) const {
    if (!is_before(cursor_, time)) cursor_ = last_before(time);
    return free(cursor_);
  }

 private:
  static constexpr std::size_t kRoom = 32;  // steps in a block, at most
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Block {
    std::size_t size = 0;
    Processors shift = 0;    // to be added to each of `free`, `most` and `least`
    Processors most = 0;     // maximum of `free`
    Processors least = 0;    // minimum of `free`
    Time at[kRoom];          // when a step begins
    Processors free[kRoom];  // processors free from step k until the next step

    void summarize() {
      Processors high = free[0], low = free[0];
      for (std::size_t k = 1; k < size; ++k) {
        high = std::max(high, free[k]);
        low = std::min(low, free[k]);
      }
      most = high;
      least = low;
    }

    // The number of steps whose time satisfies the condition. Without data-dependent branches this is faster than a
    // binary search.
    template <class Condition>
    std::size_t count(Condition holds) const {
      std::size_t found = 0;
      for (std::size_t k = 0; k < size; ++k) found += holds(at[k]);
      return found;
    }

    void insert(std::size_t k, Time time, Processors value) {
      std::copy_backward(at + k, at + size, at + size + 1);
      std::copy_backward(free + k, free + size, free + size + 1);
      at[k] = time;
      free[k] = value;
      ++size;
    }

    void erase(std::size_t k) {
      std::copy(at + k + 1, at + size, at + k);
      std::copy(free + k + 1, free + size, free + k);
      --size;
    }

    void change(std::size_t from, std::size_t to, Processors n) {
      for (std::size_t k = from; k < to; ++k) free[k] += n;
      summarize();
    }
  };

  struct Place {
    std::size_t block = 0;
    std::size_t step = 0;
  };

  const Block& block(const Place& place) const { return *blocks_[place.block]; }
  Time at(const Place& place) const { return block(place).at[place.step]; }
  Processors free(const Place& place) const { return block(place).free[place.step] + block(place).shift; }

  // The step in force at `time`, or the first step if that one was dropped.
  Place last_before_or_at(Time time) const {
    const std::size_t after = std::upper_bound(begins_.begin(), begins_.end(), time) - begins_.begin();
    const std::size_t b = after > 0 ? after - 1 : 0;
    const std::size_t step = blocks_[b]->count([time](Time at) { return at <= time; });
    return {b, step > 0 ? step - 1 : 0};
  }

  Place last_before(Time time) const {
    const std::size_t after = std::lower_bound(begins_.begin(), begins_.end(), time) - begins_.begin();
    const std::size_t b = after > 0 ? after - 1 : 0;
    const std::size_t step = blocks_[b]->count([time](Time at) { return at < time; });
    return {b, step > 0 ? step - 1 : 0};
  }

  // Whether the place exists and is the last before `time`.
  bool is_before(const Place& place, Time time) const {
    if (place.block >= blocks_.size() || place.step >= block(place).size || !(at(place) < time)) return false;
    if (place.step + 1 < block(place).size) return block(place).at[place.step + 1] >= time;
    return place.block + 1 >= blocks_.size() || begins_[place.block + 1] >= time;
  }

  // The first step from `place` on with n processors free. It exists: after all bookings everything is free.
  Place next_roomy(Place place, Processors n) const {
    for (;; ++place.block, place.step = 0) {
      const Block& in = block(place);
      if (in.most + in.shift < n) continue;
      const Processors needed = n - in.shift;
      for (; place.step < in.size; ++place.step) {
        if (in.free[place.step] >= needed) return place;
      }
    }
  }

  // The first step from `place` on that begins before `until` and has fewer than n processors free, or kNone.
  Place next_full(Place place, Processors n, Time until) const {
    for (; place.block < blocks_.size() && begins_[place.block] < until; ++place.block, place.step = 0) {
      const Block& in = block(place);
      if (in.least + in.shift >= n) continue;
      const Processors needed = n - in.shift;
      for (; place.step < in.size && in.at[place.step] < until; ++place.step) {
        if (in.free[place.step] < needed) return place;
      }
    }
    return {kNone, 0};
  }

  void add(Time from, Time to, Processors n) {
    if (!(from < to)) return;
    Place end = cut(to);
    const std::size_t blocks = blocks_.size(), steps = block(end).size;
    const Place begin = cut(from);
    if (blocks_.size() != blocks)
      end = last_before_or_at(to);
    else
      end.step += block(end).size - steps;  // a step was inserted before it
    if (begin.block == end.block) {
      blocks_[begin.block]->change(begin.step, end.step, n);
    } else {
      blocks_[begin.block]->change(begin.step, blocks_[begin.block]->size, n);
      for (std::size_t b = begin.block + 1; b < end.block; ++b) blocks_[b]->shift += n;
      blocks_[end.block]->change(0, end.step, n);
    }
    join(end);
    join(begin);
    merge_small(end.block);
    merge_small(begin.block);
  }

  // The step that begins at `time`; inserts it if necessary.
  Place cut(Time time) {
    Place place = last_before_or_at(time);
    if (at(place) == time) return place;
    if (block(place).size == kRoom) {
      split(place.block);
      place = last_before_or_at(time);
    }
    Block& in = *blocks_[place.block];
    in.insert(place.step + 1, time, in.free[place.step]);
    return {place.block, place.step + 1};
  }

  // Removes a step that equals the one before it.
  void join(const Place& place) {
    if (place.block == 0 && place.step == 0) return;
    const Place before = place.step > 0 ? Place{place.block, place.step - 1}
                                        : Place{place.block - 1, blocks_[place.block - 1]->size - 1};
    if (free(before) != free(place)) return;
    Block& in = *blocks_[place.block];
    in.erase(place.step);
    if (in.size == 0) return remove(place.block, place.block + 1);
    if (place.step == 0) begins_[place.block] = in.at[0];
  }

  void split(std::size_t b) {
    auto upper = std::make_unique<Block>();
    Block& lower = *blocks_[b];
    const std::size_t half = lower.size / 2;
    std::copy(lower.at + half, lower.at + lower.size, upper->at);
    std::copy(lower.free + half, lower.free + lower.size, upper->free);
    upper->size = lower.size - half;
    upper->shift = lower.shift;
    lower.size = half;
    upper->summarize();
    lower.summarize();
    begins_.insert(begins_.begin() + static_cast<std::ptrdiff_t>(b) + 1, upper->at[0]);
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b) + 1, std::move(upper));
  }

  // Moves the steps of a small block to the end of the one before it.
  void merge_small(std::size_t b) {
    if (b == 0 || b >= blocks_.size() || blocks_[b]->size + blocks_[b - 1]->size > kRoom / 2) return;
    Block& lower = *blocks_[b - 1];
    const Block& upper = *blocks_[b];
    for (std::size_t k = 0; k < upper.size; ++k) {
      lower.at[lower.size] = upper.at[k];
      lower.free[lower.size++] = upper.free[k] + upper.shift - lower.shift;
    }
    lower.summarize();
    remove(b, b + 1);
  }

  void remove(std::size_t from, std::size_t to) {
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(from),
                  blocks_.begin() + static_cast<std::ptrdiff_t>(to));
    begins_.erase(begins_.begin() + static_cast<std::ptrdiff_t>(from),
                  begins_.begin() + static_cast<std::ptrdiff_t>(to));
  }

  std::vector<std::unique_ptr<Block>> blocks_;  // in the order of time
  std::vector<Time> begins_;                    // at[0] of each block
  mutable Place cursor_;                        // where free_before last looked
};

}  // namespace thinktime
