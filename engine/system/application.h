// An application model: what happens inside a job, and so how long it runs.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/registry.h"
#include "core/types.h"
#include "platform/cores.h"

namespace thinktime {

// A job as the application level is told of it.
struct Work {
  std::uint32_t row;  // in the workload: names its random stream
  Processors processors;
  Time each;  // seconds that each of its processors has to do, at the machine's speed
};

// What has happened inside a job.
struct Inside {
  Time duration = 0;
  std::int64_t tasks = 0;   // that were begun
  std::int64_t chunks = 0;  // that were handed out
  double busy_s = 0;        // of all its cores together, in tasks
  double overhead_s = 0;    // of all its cores together, in asking for chunks
  bool cut = false;         // it was to go on beyond the limit

  // What a later part adds to it, or an earlier one was of it; the duration stays.
  void add(const Inside& part, int sign = 1) {
    tasks += sign * part.tasks;
    chunks += sign * part.chunks;
    busy_s += sign * part.busy_s;
    overhead_s += sign * part.overhead_s;
  }
};

class Application {
 public:
  virtual ~Application() = default;

  // Plays a job that starts at `start`, with one core for each of its processors, and runs no longer than `limit`.
  virtual Inside play(const Work& work, Time start, std::span<const Core> cores, Time limit) = 0;

  // Of the job just played, for each of its cores: how long after the start it has nothing more to do.
  virtual std::span<const Time> idle_from() const = 0;
};

using RegisterApplication = Registry<Application, const Plan&>;

inline std::unique_ptr<Application> make_application(const std::string& name, const Plan& plan) {
  return RegisterApplication::make("application model", name, plan);
}

}  // namespace thinktime
