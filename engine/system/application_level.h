// The application level of a batch simulation: a job that starts gets cores and is played, which gives its duration.
// Idle cores are held until the job ends, or returned early.
//
// An aborted job is played again when it restarts. If a checkpoint has saved work, it continues the earlier play from
// the checkpoint instead, on whichever cores it gets.
#pragma once
#include <memory>
#include <vector>

#include "core/end_queue.h"
#include "core/jobs.h"
#include "platform/cluster.h"
#include "platform/cores.h"
#include "system/application.h"

namespace thinktime {

struct LevelRules {
  bool kill = false;              // jobs at their estimate
  bool early = false;             // return cores as they become idle
  std::size_t core_resource = 0;  // on a cluster: the resource that counts cores
};

// A job that was aborted. Times within a play, such as checkpoints, are relative to its begin.
struct Interrupted {
  Inside before;             // in all aborted runs
  Time begin = 0;            // of the play, in simulated time
  std::vector<CoreSpan> on;  // its cores
  Time from = 0;             // where the current run continues; 0: it is a new play
  Inside skipped;            // what has happened in the play up to `from`
  bool lost = false;         // the last aborted run ended the job
};

// A job that was played.
struct Played {
  bool done = false;                         // its duration is known
  Time each = 0;                             // seconds of work per processor
  Inside inside;                             // the whole play
  std::unique_ptr<Interrupted> interrupted;  // null without aborts
  std::uint32_t cores_per_unit = 1;          // the first one runs the tasks
  std::vector<CoreSpan> cores;               // unit by unit
  Processors given_back = 0;                 // early, in this run so far
};

// An aborted run as the application level saw it.
struct AbortedInside {
  Time begin, from;  // it worked from `begin` on, which is time `from` of the play
  Inside inside;     // this run only; boots and restarts are overhead
  std::vector<CoreSpan> cores;
  std::uint32_t cores_per_unit;
};

// Processors that a running job returns early.
struct GivenBack {
  JobId job;
  Processors processors = 0;
  Placement placement;  // on a cluster
};

class ApplicationLevel {
 public:
  ApplicationLevel(std::unique_ptr<Application> application, Cores cores, LevelRules rules)
      : application_(std::move(application)), cores_(std::move(cores)), rules_(rules) {}

  void add(JobId id);                                 // a new job in this slot
  void set_variant(JobId id, std::uint32_t variant);  // of the application model; 0 unless it is set
  bool has_variants() const { return !variants_.empty(); }
  std::uint32_t variant(JobId id) const { return id < variants_.size() ? variants_[id] : 0; }
  // Allocates cores to a job that starts now and sets its duration. The job works from `begin` on, after any boot;
  // `restart` seconds of its duration are not work.
  void start(JobId id, Job& job, Time begin, Time restart, const Cluster* cluster);
  // Plans the early returns of cores, once the end of the job is known. It works from `begin` on.
  void started(JobId id, const Job& job, Time begin);
  void end(JobId id);  // frees its cores
  // Aborts a run that worked from `begin` on: keeps `saved` seconds of its work and frees its cores.
  void abort(JobId id, const Job& job, Time begin, Time now, Time saved, bool lost);
  // Whether a waiting job continues from a checkpoint; otherwise it is played when it starts.
  bool goes_on(JobId id) const { return jobs_[id].done; }

  Time next() const { return early_.next(); }   // the next early return
  GivenBack give_back(const Cluster* cluster);  // returns what one job gives back at next()

  const Played& played(JobId id) const { return jobs_[id]; }
  // What has happened inside a job up to now, in all runs; the current or last run worked from `begin` on.
  Inside spent(JobId id, const Job& job, Time begin, Time now);
  void forget_cores(JobId id) { jobs_[id].cores.clear(); }  // of a job that is rejected after aborted runs
  const std::vector<AbortedInside>& aborted() const { return aborted_; }  // in order
  std::vector<AbortedInside>& aborted() { return aborted_; }

  // An early return of a core; in order of time.
  struct EarlyReturn {
    JobId job;
    std::uint32_t run;  // number of its run, from 0
    Time time;
    Core core;
  };
  const std::vector<EarlyReturn>& early_returns() const { return early_returns_; }
  std::vector<EarlyReturn>& early_returns() { return early_returns_; }

 private:
  // A job that returns cores while it runs.
  struct Idling {
    std::vector<Time> idle_from;                        // by unit: seconds of work in total
    std::vector<std::pair<Time, std::uint32_t>> units;  // (instant, unit); the next one last
    std::vector<Core> cores;                            // unit by unit; kGone once returned
    std::uint32_t order = 0, run = 0;
  };
  static constexpr Core kGone = ~Core{0};

  void take_cores(JobId id, const Job& job, const Cluster* cluster);
  void play(JobId id, Job& job, Time begin, Time restart);
  Time limit(const Job& job) const { return rules_.kill ? job.estimate : kNever; }
  // What has happened up to `time` in a play on cores `on` that began at `begin`.
  Inside by(JobId id, const Job& job, std::span<const CoreSpan> on, Time begin, Time time);
  Inside of_run(JobId id, const Job& job, Time begin, Time until);  // the current run
  // The part of a play that belongs to this run: without what was skipped, with the time its nodes waited.
  static Inside with_others(Inside run, const Played& played, const Job& job, Time begin);
  void free_cores(JobId id);
  void give(JobId id, std::uint32_t unit, const Cluster* cluster, GivenBack& given);

  std::unique_ptr<Application> application_;
  Cores cores_;
  LevelRules rules_;
  std::vector<Played> jobs_;             // by slot of the job table
  std::vector<std::uint32_t> variants_;  // the same; empty if all jobs have the same model
  std::vector<Idling> idling_;           // the same; used if cores are returned early
  EndQueue early_;                       // by such job: its next return
  std::vector<EarlyReturn> early_returns_;
  std::vector<AbortedInside> aborted_;
  // Scratch memory for the job that starts: all its cores unit by unit, and the first core of each unit.
  std::vector<Core> taken_, first_;
};

}  // namespace thinktime
