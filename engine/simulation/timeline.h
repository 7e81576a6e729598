// The state after each instant with an event: a step function, one row per instant.
#pragma once
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

class Timeline {
 public:
  void record(const TimelineRow& row) {
    if (!rows_.empty() && rows_.back().time == row.time) {
      rows_.back() = row;  // a further round of the same instant
    } else {
      rows_.push_back(row);
    }
  }
  // Removes and returns the rows. Without `all` the last row stays, because it may still change.
  std::vector<TimelineRow> take(bool all) {
    const auto end = all || rows_.empty() ? rows_.end() : rows_.end() - 1;
    std::vector<TimelineRow> taken(rows_.begin(), end);
    rows_.erase(rows_.begin(), end);
    return taken;
  }

 private:
  std::vector<TimelineRow> rows_;
};

}  // namespace thinktime
