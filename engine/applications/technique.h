// A technique divides the loop of a job into chunks: it returns the number of tasks for an idle core.
//
// One file per technique or family, which registers itself under the name of its Python spec.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/options.h"
#include "core/registry.h"

namespace thinktime {

// A loop before it starts.
struct LoopFacts {
  std::int64_t tasks;
  std::int32_t cores;
  double mean_s, deviation_s;       // of a task, by the model (not measured)
  double overhead_s;                // per chunk
  std::span<const double> speeds;   // by core of the job, relative; empty: all 1. Valid during the loop
  std::uint64_t key_low, key_high;  // Philox key for techniques that draw (rand): one stream per job
};

class Technique {
 public:
  virtual ~Technique() = default;

  virtual void begin(const LoopFacts& facts) = 0;  // a new loop; one object serves many jobs in turn
  // Tasks for an idle core, while tasks remain; the caller clamps to [1, remaining].
  virtual std::int64_t chunk(std::int32_t core, std::int64_t remaining) = 0;
  // A core has finished a chunk: the time of its tasks, and the total with overhead.
  virtual void done(std::int32_t /*core*/, std::int64_t /*tasks*/, double /*work_s*/, double /*total_s*/) {}
  virtual bool adaptive() const { return false; }  // a chunk depends on the core or on done()
};

using RegisterTechnique = Registry<Technique, const Options&>;

inline std::unique_ptr<Technique> make_technique(const std::string& name, const Options& options) {
  return RegisterTechnique::make("technique", name, options);
}

}  // namespace thinktime
