// What a scheduler sees and may do: the clock, the jobs' estimates, the free processors, and start().
//
// On a counted machine a job fits if it needs no more than the free processors. On a cluster this is necessary but not
// sufficient: free() is then an upper bound, and has_room() searches for nodes.
//
// The loop owns the state behind this interface and changes it through `SystemState` (simulation/system_state.h).
#pragma once
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/end_queue.h"
#include "core/jobs.h"
#include "core/values.h"
#include "platform/cluster.h"
#include "platform/machine.h"
#include "system/actions.h"
#include "system/application_level.h"

namespace thinktime {

// What plugins decide about a start.
class Hooks {
 public:
  virtual ~Hooks() = default;
  virtual bool allows(JobId) = 0;
  virtual Time delay(JobId) = 0;  // seconds for which a job that starts now holds its nodes before it runs
  virtual void started(JobId) = 0;
};

class System {
 public:
  Time now() const { return now_; }
  const Job& job(JobId id) const { return jobs_[id]; }
  std::size_t jobs() const { return jobs_.size(); }
  // The slot of the job in a row of the workload; kNoJob if it is unknown or over and forgotten.
  JobId slot_of(std::uint32_t row) const {
    if (!by_row_) return row < jobs_.size() ? row : kNoJob;
    const auto at = by_row_->find(row);
    return at == by_row_->end() ? kNoJob : at->second;
  }
  Processors processors() const { return processors_; }
  Cluster* cluster() { return cluster_.get(); }  // null on a counted machine
  const Cluster* cluster() const { return cluster_.get(); }
  const ApplicationLevel* level() const { return level_.get(); }  // null without application models

  // Processors that a job can have now. Under each-submit-first, a running job that ends at this instant, both by its
  // estimate and in fact, counts as free already: its end is an event that comes later in the same instant.
  Processors free() const { return machine_.free() + ending_now_; }
  Processors really_free() const { return machine_.free(); }
  Processors unused() const { return static_cast<Processors>(processors_ - used_processors_); }
  bool nothing_runs() const { return running_jobs_ == 0; }
  bool some_end_now() const { return ending_now_ != 0; }

  // Processors that free() gains if a running job is aborted now: none if they are counted already.
  Processors freed_by(JobId id) const {
    const Job& job = jobs_[id];
    return some_end_now() && job.end == now_ && job.expected_end() <= now_ ? 0 : job.processors;
  }

  Actions& actions() { return *actions_; }

  // Values published by plugins, by name.
  Values& values() { return *values_; }
  const Values& values() const { return *values_; }

  void running(std::vector<JobId>& jobs) const {  // appends them in no particular order
    for (const End& end : ends_.entries()) jobs.push_back(end.job());
  }
  void running_by_end(std::vector<JobId>& jobs) const;           // ties by start order
  void running_on(NodeId node, std::vector<JobId>& jobs) const;  // in start order

  // Seconds of a job's run that are not work: a boot, a restart.
  Time overhead(JobId id) const { return id < overhead_.size() ? overhead_[id] : 0; }
  // Seconds that a running job has worked so far.
  Time worked(JobId id) const { return std::max(0.0, now_ - jobs_[id].start - overhead(id)); }

  // Whether a job that needs no more than free() can start now. Nodes that were found are kept for start().
  bool has_room(JobId id) { return (!cluster_ || cluster_->find(id, jobs_[id], now_)) && allowed(id); }

  // Whether plugins let a job start now that has room.
  bool allowed(JobId id) { return !hooks_ || hooks_->allows(id); }

  // Starts a waiting job that has room; the caller removes it from its queue.
  void start(JobId id) {
    Job& job = jobs_[id];
    take(id, job.processors);
    job.start = now_;
    job.state = State::running;
    const Time later = hooks_ ? hooks_->delay(id) : 0;
    if (level_) level_->start(id, job, now_ + overhead(id) + later, overhead(id), cluster_.get());
    job.end = now_ + job.duration;
    if (requeues_) delay(id, later);
    job.sequence = starts_++;  // from now on: start order
    if (level_) level_->started(id, job, now_ + overhead(id));
    ends_.push({job.end, job.sequence, id});
    --queued_jobs_;
    queued_processors_ -= job.processors;
    ++running_jobs_;
    used_processors_ += job.processors;
    if (hooks_) hooks_->started(id);
  }

 protected:
  // Without a cluster the machine is counted; with one, `processors` is its size in sums.
  System(Processors processors, std::unique_ptr<Cluster> cluster, std::shared_ptr<Values> values)
      : processors_(processors), machine_(processors), cluster_(std::move(cluster)), values_(std::move(values)) {
    if (cluster_) update_bound();
  }
  System(System&&) = default;
  ~System() = default;

  // After any change of what is free on a cluster.
  void update_bound() { machine_.set_free(cluster_->most_free()); }

  Time now_ = -kNever;
  Processors processors_;
  Machine machine_;                          // on a cluster: of most_free() processors
  std::unique_ptr<Cluster> cluster_;         // null on a counted machine
  Actions* actions_ = nullptr;               // the loop
  Hooks* hooks_ = nullptr;                   // null without plugins
  bool requeues_ = false;                    // jobs may be requeued: by a plugin, or by the scheduler
  std::unique_ptr<ApplicationLevel> level_;  // null if jobs run as long as they were recorded
  std::vector<std::uint32_t> joined_;        // if requeues_, by job: its place in the order of joining
  std::vector<Time> overhead_;               // if requeues_, by job: seconds of this run that are not work
  std::shared_ptr<Values> values_;           // shared with the keys that read them
  Processors ending_now_ = 0;
  JobTable jobs_;
  std::optional<std::map<std::uint32_t, JobId>> by_row_;  // row -> slot; without it, the slot is the row
  EndQueue ends_;
  std::uint32_t joins_ = 0;   // jobs that joined the queue so far
  std::uint32_t starts_ = 0;  // jobs started so far
  std::int64_t queued_jobs_ = 0;
  std::int64_t queued_processors_ = 0;
  std::int64_t running_jobs_ = 0;
  std::int64_t used_processors_ = 0;

 private:
  void take(JobId id, Processors processors) {
    if (!cluster_) return machine_.take(processors);
    cluster_->take(id);
    update_bound();
  }

  // The job ends later, and is expected to.
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
};

}  // namespace thinktime
