// Future ends, earliest first; ties in the order in which the jobs started. A four-way heap.
#pragma once
#include <vector>

#include "core/types.h"

namespace thinktime {

struct End {
  Time time;
  std::uint32_t sequence;  // start order
  JobId job;

  bool before(const End& other) const {
    return time < other.time || (time == other.time && sequence < other.sequence);
  }
};

class EndQueue {
 public:
  bool empty() const { return heap_.empty(); }
  Time next() const { return heap_.empty() ? kNever : heap_.front().time; }
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

  JobId pop() {
    const JobId job = heap_.front().job;
    const End last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return job;
  }

  // Calls visit(job) for each job that ends at `time`, which must be the earliest time in the queue or earlier.
  template <class Visit>
  void each_at(Time time, Visit visit, std::size_t node = 0) const {
    if (node >= heap_.size() || heap_[node].time > time) return;
    if (heap_[node].time == time) visit(heap_[node].job);
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
      std::size_t best = first;
      const std::size_t past = first + kWays < size ? first + kWays : size;
      for (std::size_t child = first + 1; child < past; ++child)
        if (heap_[child].before(heap_[best])) best = child;
      if (!heap_[best].before(end)) break;
      heap_[hole] = heap_[best];
      hole = best;
    }
    heap_[hole] = end;
  }

  std::vector<End> heap_;
};

}  // namespace thinktime
