// The state after each instant with an event: a step function, one row per instant.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "core/types.h"

namespace thinktime {

struct TimelineRow {
  Time time;
  std::int64_t queued_jobs;
  std::int64_t queued_processors;
  std::int64_t running_jobs;
  std::int64_t used_processors;
};

// The rows as columns, which become arrays without a copy.
struct TimelineColumns {
  std::vector<Time> time;
  std::vector<std::int64_t> queued_jobs;
  std::vector<std::int64_t> queued_processors;
  std::vector<std::int64_t> running_jobs;
  std::vector<std::int64_t> used_processors;

  void push_back(const TimelineRow& row) {
    time.push_back(row.time);
    queued_jobs.push_back(row.queued_jobs);
    queued_processors.push_back(row.queued_processors);
    running_jobs.push_back(row.running_jobs);
    used_processors.push_back(row.used_processors);
  }
  void pop_back() {
    time.pop_back();
    queued_jobs.pop_back();
    queued_processors.pop_back();
    running_jobs.pop_back();
    used_processors.pop_back();
  }
  TimelineRow back() const {
    return {time.back(), queued_jobs.back(), queued_processors.back(), running_jobs.back(), used_processors.back()};
  }
};

class Timeline {
 public:
  void record(const TimelineRow& row) {
    if (!rows_.time.empty() && rows_.time.back() == row.time) rows_.pop_back();  // a further round of the same instant
    rows_.push_back(row);
  }
  // Removes and returns the rows. Without `all` the last row stays, because it may still change.
  TimelineColumns take(bool all) {
    TimelineColumns taken = std::exchange(rows_, {});
    if (all || taken.time.empty()) return taken;
    rows_.push_back(taken.back());
    taken.pop_back();
    return taken;
  }

 private:
  TimelineColumns rows_;
};

}  // namespace thinktime
