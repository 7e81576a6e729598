// A sweep over a finished schedule, from one blocked head to the next, with the jobs that ran at each.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "checks/promises.h"

namespace thinktime {

using Rows = std::vector<std::uint32_t>;

template <class TimeOf>
Rows in_order_of(std::size_t n, TimeOf time_of) {
  Rows rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return time_of(a) < time_of(b); });
  return rows;
}

// When each job becomes the head: all jobs before it have started.
inline std::vector<Time> become_head(const std::vector<Scheduled>& jobs) {
  std::vector<Time> at(jobs.size());
  Time last_start = -kNever;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    at[i] = std::max(jobs[i].submit, last_start);
    last_start = std::max(last_start, jobs[i].start);
  }
  return at;
}

// Calls running.start(i) and running.end(i) up to the instant at which a job becomes a blocked head, then
// running.promise(i, instant). Returns kNever for jobs that were never a blocked head.
template <class Running>
std::vector<Time> sweep_promises(const std::vector<Scheduled>& jobs, Running running) {
  const std::vector<Time> head_at = become_head(jobs);
  const Rows starts = in_order_of(jobs.size(), [&](auto i) { return jobs[i].start; });
  const Rows ends = in_order_of(jobs.size(), [&](auto i) { return jobs[i].end; });
  std::vector<Time> promised(jobs.size(), kNever);
  std::size_t started = 0, ended = 0;
  // Skip zero-length jobs: they hold nothing, and here they would end before they start.
  const auto holds = [&](std::uint32_t i) { return jobs[i].end > jobs[i].start; };
  for (const std::uint32_t i : in_order_of(jobs.size(), [&](auto i) { return head_at[i]; })) {
    if (!(jobs[i].start > head_at[i])) continue;
    for (; started < starts.size() && jobs[starts[started]].start <= head_at[i]; ++started)
      if (holds(starts[started])) running.start(starts[started]);
    for (; ended < ends.size() && jobs[ends[ended]].end <= head_at[i]; ++ended)
      if (holds(ends[ended])) running.end(ends[ended]);
    promised[i] = running.promise(i, head_at[i]);
  }
  return promised;
}

}  // namespace thinktime
