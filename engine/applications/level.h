// The application level beneath a batch simulation: a job that starts gets cores and is played; how long that takes is
// its duration. Cores that have nothing more to do are held until the job ends, or given back at once.
//
// A job that is aborted and starts again takes what was left of its first run: so does each of its cores.
#pragma once
#include <vector>

#include "applications/application.h"
#include "applications/cores.h"
#include "core/end_queue.h"
#include "core/jobs.h"
#include "platform/cluster.h"

namespace thinktime {

struct LevelRules {
  bool kill = false;              // at the estimate
  bool early = false;             // cores are given back as they fall idle
  std::size_t core_resource = 0;  // of a cluster: the resource that cores are
};

// What is known of a job that was played.
struct Played {
  bool done = false;
  Time each = 0;                   // what each processor had to do
  Inside inside;
  std::uint32_t cores_a_unit = 1;  // the first of them does the tasks
  std::vector<CoreSpan> cores;     // that it got, unit by unit
  Processors given_back = 0;       // before the end of this run, so far
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
  // Gives a job that starts now cores, and fixes its duration; its tasks begin at `begin`, which a boot puts off.
  void start(JobId id, Job& job, Time begin, const Cluster* cluster);
  // When its end is known: it will give cores back before. It works from `begin` on, after boot and restart.
  void started(JobId id, const Job& job, Time begin);
  void end(JobId id);                  // its cores are free
  void aborted(JobId id, Time saved);  // its cores are free; it has `saved` less to do when it starts again

  Time next() const { return early_.next(); }     // when a core will be given back
  GivenBack give_back(const Cluster* cluster);    // what one job gives back then

  const Played& played(JobId id) const { return jobs_[id]; }

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
    Time saved = 0;                                     // of that, by runs that were aborted
    std::vector<std::pair<Time, std::uint32_t>> units;  // instant and unit; the next one last
    std::vector<Core> cores;                            // unit by unit; kGone if given back
    std::uint32_t row = 0, order = 0, run = 0;
  };
  static constexpr Core kGone = ~Core{0};

  void take_cores(JobId id, const Job& job, const Cluster* cluster);
  void play(JobId id, Job& job, Time begin);
  void free_cores(JobId id);
  void give(JobId id, std::uint32_t unit, const Cluster* cluster, GivenBack& given);

  std::unique_ptr<Application> application_;
  Cores cores_;
  LevelRules rules_;
  std::vector<Played> jobs_;    // by slot of the job table
  std::vector<Idling> idling_;  // the same, if cores are given back early
  EndQueue early_;              // of each such job, its next instant
  std::vector<Gift> gifts_;
  // Of the job that starts, kept for their memory: all its cores unit by unit, and the first of each unit.
  std::vector<Core> taken_, first_;
};

}  // namespace thinktime
