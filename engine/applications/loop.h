// A loop of independent tasks on the cores of a job, assigned in chunks by a technique.
//
// Idle cores request chunks in order of time, ties by their position among the job's cores. A core gets the next tasks
// of the loop, spends the overhead of a chunk, then runs them one after the other. The job ends when its last core is
// done. Times inside a job are relative to its start.
#pragma once
#include <functional>
#include <vector>

#include "applications/speeds.h"
#include "applications/tasks.h"
#include "applications/technique.h"
#include "core/end_queue.h"
#include "system/application.h"

namespace thinktime {

// A task on one of the job's cores, for observers.
struct TaskEvent {
  std::int64_t task, chunk;  // indices in the loop
  std::size_t core;          // index among the job's cores
  Time start, end;           // relative to the job's start
};
using Onlooker = std::function<void(const TaskEvent&)>;

class Loop : public Application {
 public:
  explicit Loop(const Plan& plan) { add(plan); }

  // Adds a kind of loop, which jobs have by their Work::variant; the technique may be one that no registry knows.
  void add(const Plan& plan, std::unique_ptr<Technique> technique = nullptr);
  void set_technique(std::unique_ptr<Technique> technique);  // of the first kind
  std::size_t variants() const { return kinds_.size(); }

  Inside play(const Work& work, Time start, std::span<const Core> cores, Time limit) override;
  std::span<const Time> idle_from() const override { return idle_from_; }

  // The same, reported task by task.
  void show(const Work& work, Time start, std::span<const Core> cores, Time limit, const Onlooker& onlooker);
  void tasks(const Work& work, std::vector<double>& lengths) const { kinds_[work.variant].tasks.draw(work, lengths); }

 private:
  // The loops of jobs with the same variant.
  struct Kind {
    Tasks tasks;
    std::unique_ptr<Technique> technique;
    bool adaptive;
    double overhead_s;
    std::uint64_t low, high;  // key of techniques that draw; a job adds its row
    bool fixed;               // no loop: the job runs as recorded, with one task per core
  };
  // The last chunk of a core, for adaptive techniques.
  struct Given {
    std::int64_t tasks = 0;
    double work_s = 0, total_s = 0;
  };

  void begin(const Work& work, std::span<const Core> cores);
  LoopFacts facts(const Work& work, std::size_t cores) const;
  std::int64_t next_chunk(std::size_t core, std::int64_t remaining);
  template <class Seen>
  Inside go(Time start, std::span<const Core> cores, Time limit, Seen seen);
  template <class Seen>
  Time work_on(Core core, Time start, Time from, std::int64_t first, std::int64_t past, Seen seen) const;

  template <class Seen>
  Inside as_recorded(const Work& work, std::size_t cores, Time limit, Seen seen);

  std::vector<Kind> kinds_;  // by variant
  Speeds speeds_;
  // State of the current job.
  Kind* kind_ = nullptr;
  std::vector<double> lengths_;
  std::vector<double> speeds_of_cores_;  // empty if all are 1
  std::vector<Time> idle_from_;
  std::vector<Given> given_;
  EndQueue asking_;  // by core: when it becomes idle
};

}  // namespace thinktime
