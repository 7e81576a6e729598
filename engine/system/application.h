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

// A job as the application level sees it.
struct Work {
  std::uint32_t row;  // in the workload; selects its random stream
  Processors processors;
  Time each;                  // seconds of work per processor, at the machine's speed
  std::uint32_t variant = 0;  // of the model, if jobs have different ones
};

// What has happened inside a job.
struct Inside {
  Time duration = 0;
  std::int64_t tasks = 0;   // started
  std::int64_t chunks = 0;  // assigned
  double busy_s = 0;        // over all its cores, in tasks
  double overhead_s = 0;    // over all its cores, requesting chunks
  bool cut = false;         // the limit cut it off

  // Adds a later part, or with sign = -1 subtracts an earlier one; the duration stays.
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

  // Plays a job that starts at `start` on `cores`, one core per processor, for at most `limit` seconds.
  virtual Inside play(const Work& work, Time start, std::span<const Core> cores, Time limit) = 0;

  // For each core of the job just played: seconds after the start from which it is idle.
  virtual std::span<const Time> idle_from() const = 0;
};

using RegisterApplication = Registry<Application, const Plan&>;

inline std::unique_ptr<Application> make_application(const std::string& name, const Plan& plan) {
  return RegisterApplication::make("application model", name, plan);
}

}  // namespace thinktime
