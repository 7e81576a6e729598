#include "platform/promises.h"

#include <algorithm>
#include <numeric>

#include "platform/expected_ends.h"

namespace thinktime {
namespace {

using Rows = std::vector<std::uint32_t>;

template <class TimeOf>
Rows in_order_of(std::size_t n, TimeOf time_of) {
  Rows rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return time_of(a) < time_of(b); });
  return rows;
}

// When a job is the first that still waits: everybody before it has started.
std::vector<Time> become_head(const std::vector<Scheduled>& jobs) {
  std::vector<Time> at(jobs.size());
  Time last_start = -kNever;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    at[i] = std::max(jobs[i].submit, last_start);
    last_start = std::max(last_start, jobs[i].start);
  }
  return at;
}

}  // namespace

std::vector<Time> promised_starts(const std::vector<Scheduled>& jobs, Processors processors) {
  const std::vector<Time> head_at = become_head(jobs);
  const Rows starts = in_order_of(jobs.size(), [&](auto i) { return jobs[i].start; });
  const Rows ends = in_order_of(jobs.size(), [&](auto i) { return jobs[i].end; });
  std::vector<Time> promised(jobs.size(), kNever);
  ExpectedEnds running;
  Processors free = processors;
  std::size_t started = 0, ended = 0;
  const auto release = [&](std::uint32_t i) { return Release{jobs[i].expected_end, i, jobs[i].processors}; };
  // Jobs that run for no time at all would end before they start here; they hold nothing and are left out.
  const auto holds = [&](std::uint32_t i) { return jobs[i].end > jobs[i].start; };
  for (const std::uint32_t i : in_order_of(jobs.size(), [&](auto i) { return head_at[i]; })) {
    if (!(jobs[i].start > head_at[i])) continue;
    for (; started < starts.size() && jobs[starts[started]].start <= head_at[i]; ++started)
      if (holds(starts[started])) running.add(release(starts[started])), free -= jobs[starts[started]].processors;
    for (; ended < ends.size() && jobs[ends[ended]].end <= head_at[i]; ++ended)
      if (holds(ends[ended])) running.remove(release(ends[ended])), free += jobs[ends[ended]].processors;
    promised[i] = running.promise(head_at[i], free, jobs[i].processors).shadow;
  }
  return promised;
}

}  // namespace thinktime
