// AF: each core's mean and variance of the task times, mu_i and sigma_i^2, measured while the loop runs, give
// D = sum of sigma_i^2 / mu_i, T = 1 / sum of 1 / mu_i, and a chunk of (D + 2 T R - sqrt(D^2 + 4 D T R)) / (2 mu_i).
// Banicescu and Liu 2000.
//
// Only the total time of a chunk is measured. The variance of the mean of n tasks is n times smaller, so its square has
// weight n (West 1979). A variance needs two chunks, so a core's first two chunks have `first` tasks. A core that is
// not yet measured counts with the mean rate and spread of the others.
#include <cmath>

#include "applications/chunk_sizes.h"
#include "applications/measured_rates.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class AdaptiveFactoring : public Technique {
 public:
  explicit AdaptiveFactoring(const Options& options) : first_(static_cast<std::int64_t>(options.number("first", 1))) {}

  void begin(const LoopFacts& facts) override {
    cores_ = facts.cores;
    history_.assign(facts.cores, {});
    rates_.begin(facts.cores);
    spreads_.begin(facts.cores);
  }

  std::int64_t chunk(std::int32_t core, std::int64_t remaining) override {
    if (rates_[core] == 0) return first_;
    const double share = cores_ / rates_.measured();
    const double d = spreads_.sum() * share;
    const double t_r = static_cast<double>(remaining) / (rates_.sum() * share);
    const double time_s = (d + 2.0 * t_r - std::sqrt(d * (d + 4.0 * t_r))) / 2.0;
    return rounded(time_s * rates_[core], remaining);
  }

  void done(std::int32_t core, std::int64_t tasks, double work_s, double) override {
    History& history = history_[core];
    history.add(static_cast<double>(tasks), work_s / static_cast<double>(tasks));
    if (history.chunks < 2) return;
    rates_.set(core, history.mean);
    spreads_.set(core, history.squares / (history.chunks - 1) * rates_[core]);
  }

  bool adaptive() const override { return true; }

 private:
  // Measurements of a core.
  struct History {
    double chunks = 0, tasks = 0;
    double mean = 0;     // seconds per task
    double squares = 0;  // squared differences of the chunks' means, weighted by tasks

    void add(double n, double mean_s) {
      chunks += 1;
      tasks += n;
      const double difference = mean_s - mean;
      mean += difference * (n / tasks);
      squares += n * difference * (mean_s - mean);
    }
  };

  std::int64_t first_;
  double cores_ = 1;
  std::vector<History> history_;
  MeasuredRates rates_;  // 1 / mu
  SumTree spreads_;      // sigma^2 / mu
};

const RegisterTechnique af{"af", [](const Options& options) { return std::make_unique<AdaptiveFactoring>(options); }};

}  // namespace
}  // namespace thinktime
