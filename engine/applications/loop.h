// A loop of independent tasks on the cores of a job, handed out in chunks by a technique.
//
// An idle core asks, the one that is idle first before the others, ties by its place among the job's cores. It gets the
// next tasks of the loop, spends the overhead of a chunk, and then does them one after the other. The job is over when
// its last core is. Times inside a job are counted from its start.
#pragma once
#include <functional>
#include <vector>

#include "applications/speeds.h"
#include "applications/tasks.h"
#include "applications/technique.h"
#include "core/end_queue.h"
#include "system/application.h"

namespace thinktime {

// Somebody who looks on: a task on one of the job's cores.
struct TaskEvent {
  std::int64_t task, chunk;  // places in the loop
  std::size_t core;          // place among the job's cores
  Time start, end;           // after the job's start
};
using Onlooker = std::function<void(const TaskEvent&)>;

class Loop : public Application {
 public:
  explicit Loop(const Plan& plan);

  Inside play(const Work& work, Time start, std::span<const Core> cores, Time limit) override;
  std::span<const Time> idle_from() const override { return idle_from_; }

  // The same, task by task.
  void show(const Work& work, Time start, std::span<const Core> cores, Time limit, const Onlooker& onlooker);
  void tasks(const Work& work, std::vector<double>& lengths) const { tasks_.draw(work, lengths); }

 private:
  // What a core was given last, for techniques that listen.
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

  Tasks tasks_;
  Speeds speeds_;
  std::unique_ptr<Technique> technique_;
  bool adaptive_;
  double overhead_s_;
  std::uint64_t low_, high_;  // the key of techniques that draw; a job adds its row
  // Of the job being played:
  std::vector<double> lengths_;
  std::vector<double> speeds_of_cores_;  // empty if all are 1
  std::vector<Time> idle_from_;
  std::vector<Given> given_;
  EndQueue asking_;  // when each core is idle next
};

}  // namespace thinktime
