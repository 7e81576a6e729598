// What a scheduler sees and may do: the clock, the jobs' estimates, the free processors, and start().
//
// On a counted machine a job fits if it needs no more than the free processors. On a cluster that is necessary only:
// free() is then an upper bound on what any job can have, and has_room() finds nodes.
#pragma once
#include <memory>
#include <vector>

#include "applications/level.h"
#include "core/end_queue.h"
#include "core/jobs.h"
#include "core/values.h"
#include "platform/cluster.h"
#include "platform/machine.h"

namespace thinktime {

// What plugins have to say about a start.
class Hooks {
 public:
  virtual ~Hooks() = default;
  virtual bool allows(JobId) = 0;
  virtual Time delay(JobId) = 0;  // how long a job that starts now holds its nodes before it runs
  virtual void started(JobId) = 0;
};

class System {
 public:
  // Without a cluster the machine is counted; with one, `processors` is what it counts for in sums.
  explicit System(Processors processors, std::unique_ptr<Cluster> cluster = nullptr,
                  std::shared_ptr<Values> values = std::make_shared<Values>())
      : processors_(processors), machine_(processors), cluster_(std::move(cluster)), values_(std::move(values)) {
    if (cluster_) machine_.set_free(cluster_->most_free());
  }

  Time now() const { return now_; }
  const Job& job(JobId id) const { return jobs_[id]; }
  Processors processors() const { return processors_; }
  Cluster* cluster() { return cluster_.get(); }
  const Cluster* cluster() const { return cluster_.get(); }

  // Processors that a job can have now. In each-submit-first, a running job that is due to end at this very
  // instant, by its estimate and in fact, counts as free already: its end is only an event that comes later.
  Processors free() const { return machine_.free() + ending_now_; }
  Processors really_free() const { return machine_.free(); }
  Processors unused() const { return static_cast<Processors>(processors_ - used_processors_); }
  bool nothing_runs() const { return running_jobs_ == 0; }
  bool some_end_now() const { return ending_now_ != 0; }

  // What plugins have published, by name.
  Values& values() { return *values_; }
  const Values& values() const { return *values_; }

  void running(std::vector<JobId>& jobs) const {  // in no order
    for (const End& end : ends_.entries()) jobs.push_back(end.job());
  }

  // Whether a job that needs no more than free() can start now. Nodes that were found are kept for start().
  bool has_room(JobId id) {
    return (!cluster_ || cluster_->find(id, jobs_[id], now_)) && allowed(id);
  }

  // Whether plugins let a job start now, for which there is room.
  bool allowed(JobId id) { return !hooks_ || hooks_->allows(id); }

  // Starts a waiting job, for which there is room; the caller takes it out of its queue.
  void start(JobId id) {
    Job& job = jobs_[id];
    take(id, job.processors);
    job.start = now_;
    job.state = State::running;
    const Time later = hooks_ ? hooks_->delay(id) : 0;
    if (level_) level_->start(id, job, now_ + overhead(id) + later, overhead(id), cluster_.get());
    job.end = now_ + job.duration;
    if (hooks_) delay(id, later);
    job.sequence = starts_++;  // from now on: start order
    if (level_) level_->started(id, job, now_ + (hooks_ ? overhead_[id] : 0));
    ends_.push({job.end, job.sequence, id});
    --queued_jobs_;
    queued_processors_ -= job.processors;
    ++running_jobs_;
    used_processors_ += job.processors;
    if (hooks_) hooks_->started(id);
  }

 private:
  friend class Simulation;

  Time overhead(JobId id) const { return id < overhead_.size() ? overhead_[id] : 0; }

  // Everybody is told: the job ends later, and is expected to.
  void delay(JobId id, Time by) {
    Job& job = jobs_[id];
    if (joined_.size() <= id) joined_.resize(id + 1);
    if (overhead_.size() <= id) overhead_.resize(id + 1);
    joined_[id] = job.sequence;
    if (!(by > 0)) return;
    overhead_[id] += by;
    job.end += by;
    job.duration += by;
    job.length += by;
  }
  // Whether the empty machine has room for the job.
  bool holds(JobId id) const {
    return cluster_ ? cluster_->holds(id, jobs_[id]) : jobs_[id].processors <= processors_;
  }
  void take(JobId id, Processors processors) {
    if (!cluster_) return machine_.take(processors);
    cluster_->take(id);
    machine_.set_free(cluster_->most_free());
  }
  void give_some(const GivenBack& given) {
    if (!cluster_) return machine_.give(given.processors);
    cluster_->give_some(given.job, given.placement);
    machine_.set_free(cluster_->most_free());
  }
  void give(JobId id, Processors processors) {
    if (!cluster_) return machine_.give(processors);
    cluster_->give(id);
    machine_.set_free(cluster_->most_free());
  }

  Time now_ = -kNever;
  Processors processors_;
  Machine machine_;                   // on a cluster: of most_free() processors
  std::unique_ptr<Cluster> cluster_;  // nobody if the machine is counted
  Hooks* hooks_ = nullptr;            // nobody without plugins
  std::unique_ptr<ApplicationLevel> level_;  // nobody if jobs run as long as they were recorded
  std::vector<std::uint32_t> joined_; // with plugins, by job: its place in the order of joining
  std::vector<Time> overhead_;        // with plugins, by job: how much of this run is no work (a boot, a restart)
  std::shared_ptr<Values> values_;    // keys look at them, too
  Processors ending_now_ = 0;
  JobTable jobs_;
  EndQueue ends_;
  std::uint32_t joins_ = 0;   // jobs that joined the queue so far
  std::uint32_t starts_ = 0;  // jobs started so far
  std::int64_t queued_jobs_ = 0;
  std::int64_t queued_processors_ = 0;
  std::int64_t running_jobs_ = 0;
  std::int64_t used_processors_ = 0;
};

}  // namespace thinktime
