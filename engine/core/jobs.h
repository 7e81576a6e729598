// The job table: one record per job, of one cache line.
//
// Constant-memory runs reuse the slots of finished jobs, so nothing may depend on slot numbers: times and sequence
// numbers alone decide every order.
#pragma once
#include <vector>

#include "core/types.h"

namespace thinktime {

enum class State : std::uint8_t { completed, killed, rejected, pending, queued, running };

struct Job {
  Time submit;    // in this simulation
  Time duration;  // real run time here; schedulers never read it
  Time estimate;  // the user's estimate of the run time
  Time length;    // time for which the scheduler expects it to hold processors
  Time start = kNever;
  Time end = kNever;
  Processors processors;
  std::uint32_t sequence = 0;  // order of joining the queue; once started, order of starts
  std::uint32_t row;           // row in the workload
  State state = State::pending;
  bool killed = false;  // will be killed at its estimate

  Time expected_end() const { return start + length; }
};
static_assert(sizeof(Job) == 64);

class JobTable {
 public:
  JobId add(const Job& job) {
    if (free_slots_.empty()) {
      jobs_.push_back(job);
      return static_cast<JobId>(jobs_.size() - 1);
    }
    const JobId id = free_slots_.back();
    free_slots_.pop_back();
    jobs_[id] = job;
    return id;
  }
  void recycle(JobId id) { free_slots_.push_back(id); }
  void reserve(std::size_t n) { jobs_.reserve(n); }
  std::size_t size() const { return jobs_.size(); }

  Job& operator[](JobId id) { return jobs_[id]; }
  const Job& operator[](JobId id) const { return jobs_[id]; }

 private:
  std::vector<Job> jobs_;
  std::vector<JobId> free_slots_;
};

}  // namespace thinktime
