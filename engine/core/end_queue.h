// Future ends, earliest first; ties in the order in which the jobs started. A four-way heap.
//
// (time, sequence) is packed into one 128-bit number, so that a comparison needs no branch: the processor cannot
// predict which child of a heap node is the earliest.
#pragma once
#include <vector>

#include "core/types.h"

namespace thinktime {

class End {
 public:
  End() = default;
  End(Time time, std::uint32_t sequence, JobId job)
      : key_(static_cast<Key>(ascending(time)) << 64 | static_cast<Key>(sequence) << 32 | job) {}

  Time time() const { return from_ascending(static_cast<std::uint64_t>(key_ >> 64)); }
  JobId job() const { return static_cast<JobId>(key_); }
  bool before(const End& other) const { return key_ < other.key_; }

 private:
  __extension__ using Key = unsigned __int128;  // time, start order, job (which never decides: sequences differ)
  Key key_ = 0;
};

class EndQueue {
 public:
  Time next() const { return heap_.empty() ? kNever : heap_.front().time(); }
  const std::vector<End>& entries() const { return heap_; }

  void push(End end) {
    std::size_t hole = heap_.size();
    heap_.push_back(end);
    while (hole > 0 && end.before(heap_[parent(hole)])) {
      heap_[hole] = heap_[parent(hole)];
      hole = parent(hole);
    }
    heap_[hole] = end;
  }

  // The same as pop() and then push(end), at half the cost.
  JobId replace(End end) {
    const JobId job = heap_.front().job();
    sink(end);
    return job;
  }

  JobId pop() {
    const JobId job = heap_.front().job();
    const End last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return job;
  }

  // Removes the end of a job that is aborted. This is rare, so it reads every entry.
  void remove(JobId job) {
    std::erase_if(heap_, [&](const End& end) { return end.job() == job; });
    std::vector<End> others = std::move(heap_);
    heap_.clear();
    for (const End& end : others) push(end);
  }

  // Calls visit(job) for each job that ends at `time`, which must be the earliest time in the queue or earlier.
  template <class Visit>
  void each_at(Time time, Visit visit, std::size_t node = 0) const {
    if (node >= heap_.size() || heap_[node].time() > time) return;
    if (heap_[node].time() == time) visit(heap_[node].job());
    for (std::size_t child = kWays * node + 1; child <= kWays * node + kWays; ++child) each_at(time, visit, child);
  }

 private:
  static constexpr std::size_t kWays = 4;
  static std::size_t parent(std::size_t node) { return (node - 1) / kWays; }

  void sink(const End& end) {
    std::size_t hole = 0;
    const std::size_t size = heap_.size();
    for (;;) {
      const std::size_t first = kWays * hole + 1;
      if (first >= size) break;
      const std::size_t best = first + kWays <= size ? earliest_of_four(first) : earliest(first, size);
      if (!heap_[best].before(end)) break;
      heap_[hole] = heap_[best];
      hole = best;
    }
    heap_[hole] = end;
  }

  std::size_t earliest_of_four(std::size_t first) const {
    const std::size_t left = first + heap_[first + 1].before(heap_[first]);
    const std::size_t right = first + 2 + heap_[first + 3].before(heap_[first + 2]);
    return heap_[right].before(heap_[left]) ? right : left;
  }

  std::size_t earliest(std::size_t first, std::size_t past) const {
    std::size_t best = first;
    for (std::size_t child = first + 1; child < past; ++child)
      if (heap_[child].before(heap_[best])) best = child;
    return best;
  }

  std::vector<End> heap_;
};

}  // namespace thinktime
