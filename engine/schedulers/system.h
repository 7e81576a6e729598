// What a scheduler sees and may do: the clock, the jobs' estimates, the free processors, and start().
#pragma once
#include <vector>

#include "core/end_queue.h"
#include "core/jobs.h"
#include "platform/machine.h"

namespace thinktime {

class System {
 public:
  explicit System(Processors processors) : machine_(processors) {}

  Time now() const { return now_; }
  const Job& job(JobId id) const { return jobs_[id]; }
  Processors processors() const { return machine_.processors(); }

  // Processors that a job can have now. In each-submit-first, a running job that is due to end at this very
  // instant, by its estimate and in fact, counts as free already: its end is only an event that comes later.
  Processors free() const { return machine_.free() + ending_now_; }
  Processors really_free() const { return machine_.free(); }
  bool some_end_now() const { return ending_now_ != 0; }

  // Starts a waiting job; the caller takes it out of its queue.
  void start(JobId id) {
    Job& job = jobs_[id];
    machine_.take(job.processors);
    job.start = now_;
    job.end = now_ + job.duration;
    job.state = State::running;
    job.sequence = starts_++;  // from now on: start order
    ends_.push({job.end, job.sequence, id});
    --queued_jobs_;
    queued_processors_ -= job.processors;
    ++running_jobs_;
  }

 private:
  friend class Simulation;

  Time now_ = -kNever;
  Machine machine_;
  Processors ending_now_ = 0;
  JobTable jobs_;
  EndQueue ends_;
  std::uint32_t joins_ = 0;   // jobs that joined the queue so far
  std::uint32_t starts_ = 0;  // jobs started so far
  std::int64_t queued_jobs_ = 0;
  std::int64_t queued_processors_ = 0;
  std::int64_t running_jobs_ = 0;
};

}  // namespace thinktime
