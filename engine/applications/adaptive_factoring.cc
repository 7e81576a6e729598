// AF: every core's mean and variance of the task times, mu_i and sigma_i^2, measured while the loop runs, give
// D = sum of sigma_i^2 / mu_i, T = 1 / sum of 1 / mu_i, and a chunk of (D + 2 T R - sqrt(D^2 + 4 D T R)) / (2 mu_i).
// Banicescu and Liu 2000.
//
// Of a chunk only the total is told. The mean of n tasks varies n times less than a task, so its square counts n times
// (West 1979); a variance needs two chunks, so a core's first two are of `first` tasks. For the others a core that is
// not yet measured counts as one of mean rate and spread.
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
  // Of a core.
  struct History {
    double chunks = 0, tasks = 0;
    double mean = 0;     // seconds, of a task
    double squares = 0;  // of the differences of the chunks' means from it, each times the chunk's tasks

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
