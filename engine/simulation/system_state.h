// The state of a simulation as the loop changes it: policies see it as a System, and only the loop has this type.
#pragma once
#include <memory>
#include <utility>

#include "simulation/timeline.h"
#include "system/system.h"

namespace thinktime {

class SystemState : public System {
 public:
  explicit SystemState(Processors processors, std::unique_ptr<Cluster> cluster = nullptr,
                       std::shared_ptr<Values> values = std::make_shared<Values>())
      : System(processors, std::move(cluster), std::move(values)) {}

  // The parts around it.
  void set_level(std::unique_ptr<ApplicationLevel> level) { level_ = std::move(level); }
  void set_actions(Actions& actions, bool requeues) {
    actions_ = &actions;
    requeues_ = requeues;
  }
  void set_hooks(Hooks* hooks) {
    hooks_ = hooks;
    requeues_ = true;
  }
  using System::level;
  ApplicationLevel* level() { return level_.get(); }

  // The clock, and the ends to come.
  void set_now(Time now) { now_ = now; }
  Time next_end() const { return ends_.next(); }
  JobId pop_end() { return ends_.pop(); }
  void withdraw_end(JobId id) { ends_.remove(id); }  // of a job that is aborted

  // The job table.
  void reserve(std::size_t jobs) { jobs_.reserve(jobs_.size() + jobs); }
  JobId add(const Job& job) {
    const JobId id = jobs_.add(job);
    if (id < overhead_.size()) overhead_[id] = 0;
    if (by_row_) (*by_row_)[job.row] = id;
    return id;
  }
  void recycle(JobId id) {
    if (by_row_) by_row_->erase(jobs_[id].row);
    jobs_.recycle(id);
  }
  // From now on slot_of(row) finds jobs although their slots are reused; call it before slots are.
  void index_rows() {
    by_row_.emplace();
    for (JobId id = 0; id < jobs_.size(); ++id) (*by_row_)[jobs_[id].row] = id;
  }
  const JobTable& table() const { return jobs_; }
  using System::job;
  Job& job(JobId id) { return jobs_[id]; }
  void prefetch(JobId id) const {  // into the cache
    if (id != kNoJob) __builtin_prefetch(&jobs_[id]);
  }

  // Whether the empty machine has room for the job.
  bool holds(JobId id) const { return cluster_ ? cluster_->holds(id, jobs_[id]) : jobs_[id].processors <= processors_; }

  // The queue: a job joins at the end, or after an abort where it was before.
  void join(JobId id) {
    jobs_[id].sequence = joins_++;
    enqueue(id);
  }
  void rejoin(JobId id) {
    jobs_[id].sequence = joined_[id];
    enqueue(id);
  }
  void leave_queue(JobId id) {
    --queued_jobs_;
    queued_processors_ -= jobs_[id].processors;
  }
  bool queue_empty() const { return queued_jobs_ == 0; }
  std::int64_t queued_jobs() const { return queued_jobs_; }

  // A running job is over, or aborted.
  void release(JobId id) {
    const Processors processors = jobs_[id].processors;
    give(id, processors);
    --running_jobs_;
    used_processors_ -= processors;
  }
  // The next job that returns idle cores before its end does so.
  GivenBack shrink_one() {
    GivenBack given = level_->give_back(cluster_.get());
    jobs_[given.job].processors -= given.processors;
    used_processors_ -= given.processors;
    give_some(given);
    return given;
  }
  // Restores the requested size of a job that is over; early releases were subtracted.
  void restore_size(JobId id) {
    if (level_) jobs_[id].processors += level_->played(id).given_back;
  }

  void set_overhead(JobId id, Time seconds) { overhead_[id] = seconds; }

  // Nodes were closed or opened, pools resized, or kinds of jobs added.
  void capacity_changed() {
    if (cluster_) update_bound();
  }

  // Under each-submit-first: sums the processors of running jobs that end at this instant, by estimate and in fact.
  void count_ends_now() {
    ending_now_ = 0;
    ends_.each_at(now_, [&](JobId id) {
      if (jobs_[id].expected_end() <= now_) ending_now_ += jobs_[id].processors;
    });
  }

  TimelineRow row() const { return {now_, queued_jobs_, queued_processors_, running_jobs_, used_processors_}; }

 private:
  void enqueue(JobId id) {
    Job& job = jobs_[id];
    job.state = State::queued;
    ++queued_jobs_;
    queued_processors_ += job.processors;
  }
  void give(JobId id, Processors processors) {
    if (!cluster_) return machine_.give(processors);
    cluster_->give(id);
    update_bound();
  }
  void give_some(const GivenBack& given) {
    if (!cluster_) return machine_.give(given.processors);
    cluster_->give_some(given.job, given.placement);
    update_bound();
  }
};

}  // namespace thinktime
