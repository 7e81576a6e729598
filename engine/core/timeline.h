// The state after each instant at which something happened: a step function, one row an instant.
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
  const std::vector<TimelineRow>& rows() const { return rows_; }
  // Hands out all rows but the last, which may still change.
  std::vector<TimelineRow> take(bool all) {
    const std::size_t kept = all || rows_.empty() ? 0 : 1;
    std::vector<TimelineRow> taken(rows_.begin(), rows_.end() - static_cast<std::ptrdiff_t>(kept));
    rows_.erase(rows_.begin(), rows_.end() - static_cast<std::ptrdiff_t>(kept));
    return taken;
  }

 private:
  std::vector<TimelineRow> rows_;
};

}  // namespace thinktime
