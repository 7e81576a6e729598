// The application level beneath a batch simulation: a job that starts gets cores and is played; how long that takes is
// its duration. Cores that have nothing more to do are held until the job ends, or given back at once.
//
// A job that is aborted and starts again is played again, unless a checkpoint has saved something: then it goes on as it
// was played, from there on, whichever cores it gets; so does each of its cores that falls idle.
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
  bool kill = false;              // at the estimate
  bool early = false;             // cores are given back as they fall idle
  std::size_t core_resource = 0;  // of a cluster: the resource that cores are
};

// What is known of a job that was aborted. Times of a play are counted from its begin, and checkpoints are such times.
struct Interrupted {
  Inside before;             // in the runs that were aborted
  Time begin = 0;            // of the play, in the simulation
  std::vector<CoreSpan> on;  // its cores
  Time from = 0;             // where the present run goes on, 0: it is a play of its own
  Inside skipped;            // what has happened in the play up to there
  bool lost = false;         // the last of these runs was the job's end
};

// What is known of a job that was played.
struct Played {
  bool done = false;                         // how long it takes is known
  Time each = 0;                             // what each processor had to do
  Inside inside;                             // of the play, to its end
  std::unique_ptr<Interrupted> interrupted;  // nobody if all went well
  std::uint32_t cores_a_unit = 1;            // the first of them does the tasks
  std::vector<CoreSpan> cores;               // that it got, unit by unit
  Processors given_back = 0;                 // before the end of this run, so far
};

// A run that was aborted, as the application level saw it.
struct AbortedInside {
  Time begin, from;             // it worked from `begin` on, and the play from `from` on
  Inside inside;                // this run alone; a boot or a restart is overhead
  std::vector<CoreSpan> cores;  // that it had
  std::uint32_t cores_a_unit;
};

// Processors that a running job gives back.
struct GivenBack {
  JobId job;
  Processors processors = 0;
  Placement placement;  // on a cluster: where
};

class ApplicationLevel {
 public:
  ApplicationLevel(std::unique_ptr<Application> application, Cores cores, LevelRules rules)
      : application_(std::move(application)), cores_(std::move(cores)), rules_(rules) {}

  void add(JobId id);  // a new job in this slot
  // Gives a job that starts now cores, and fixes its duration; it works from `begin` on, which a boot puts off.
  // `restart` is what its duration has besides work.
  void start(JobId id, Job& job, Time begin, Time restart, const Cluster* cluster);
  // When its end is known: it will give cores back before. It works from `begin` on.
  void started(JobId id, const Job& job, Time begin);
  void end(JobId id);  // its cores are free
  // A run that worked from `begin` on is over before its end, and of its work `saved` seconds are kept. Its cores are
  // free.
  void abort(JobId id, const Job& job, Time begin, Time now, Time saved, bool lost);
  // Whether a job that waits goes on from a checkpoint; otherwise it is played when it starts.
  bool goes_on(JobId id) const { return jobs_[id].done; }

  Time next() const { return early_.next(); }   // when a core will be given back
  GivenBack give_back(const Cluster* cluster);  // what one job gives back then

  const Played& played(JobId id) const { return jobs_[id]; }
  // What has happened inside a job up to now, in all its runs; the present or last one worked from `begin` on.
  Inside spent(JobId id, const Job& job, Time begin, Time now);
  const std::vector<AbortedInside>& aborted() const { return aborted_; }  // in their order

  // A core that was given back early, in the order of time.
  struct Gift {
    std::uint32_t row;  // of the job
    std::uint32_t run;  // which of its runs, counted from 0
    Time time;
    Core core;
  };
  const std::vector<Gift>& gifts() const { return gifts_; }

 private:
  // A job that gives cores back while it runs.
  struct Idling {
    std::vector<Time> idle_from;                        // of each unit: how much work it does in all
    std::vector<std::pair<Time, std::uint32_t>> units;  // instant and unit; the next one last
    std::vector<Core> cores;                            // unit by unit; kGone if given back
    std::uint32_t row = 0, order = 0, run = 0;
  };
  static constexpr Core kGone = ~Core{0};

  void take_cores(JobId id, const Job& job, const Cluster* cluster);
  void play(JobId id, Job& job, Time begin, Time restart);
  Time limit(const Job& job) const { return rules_.kill ? job.estimate : kNever; }
  // What has happened by a time of a play, of one that had these cores and began then.
  Inside by(JobId id, const Job& job, std::span<const CoreSpan> on, Time begin, Time time);
  Inside of_run(JobId id, const Job& job, Time begin, Time until);  // the present one
  // Of a play, the run that began to work then: without what it went on from, with what its nodes waited before.
  static Inside with_others(Inside run, const Played& played, const Job& job, Time begin);
  void free_cores(JobId id);
  void give(JobId id, std::uint32_t unit, const Cluster* cluster, GivenBack& given);

  std::unique_ptr<Application> application_;
  Cores cores_;
  LevelRules rules_;
  std::vector<Played> jobs_;    // by slot of the job table
  std::vector<Idling> idling_;  // the same, if cores are given back early
  EndQueue early_;              // of each such job, its next instant
  std::vector<Gift> gifts_;
  std::vector<AbortedInside> aborted_;
  // Of the job that starts, kept for their memory: all its cores unit by unit, and the first of each unit.
  std::vector<Core> taken_, first_;
};

}  // namespace thinktime
