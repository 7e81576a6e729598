// The job table: one record of a cache line for each job that the simulation knows.
//
// A finished job's slot may be used again (constant-memory runs), so nothing may depend on slot numbers:
// order is decided by times and sequence numbers alone.
#pragma once
#include <vector>

#include "core/types.h"

namespace thinktime {

enum class State : std::uint8_t { completed, killed, rejected, pending, queued, running };

struct Job {
  Time submit;    // when its user submits it, in this simulation
  Time duration;  // how long it really runs here; schedulers never look at it
  Time estimate;  // how long its user said it would run
  Time length;    // how long the scheduler expects it to hold processors
  Time start = kNever;
  Time end = kNever;
  Processors processors;
  std::uint32_t sequence = 0;  // order in which jobs joined the queue
  std::uint32_t row;           // row in the workload
  State state = State::pending;
  bool killed = false;  // it will be killed at its estimate

  Time expected_end() const { return start + length; }
};

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
