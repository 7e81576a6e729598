// AWF-B, -C, -D, -E: factoring with weights from the time per task of each core's chunks so far, later chunks with
// more weight: pi = sum of k t_k / sum of k n_k over its chunks k = 1, 2, ... The weight of a core is its rate 1 / pi
// divided by the mean rate of the measured cores; a core that is not yet measured gets a chunk of `first` tasks.
//
// B and D fix a size for every batch of P requests, C and E take ceil(R / 2P) at each request; B and C measure the
// tasks alone, D and E with the overhead of the chunk. Banicescu, Velusamy and Devaprasad 2003; Carino and Banicescu
// 2008.
#include "applications/chunk_sizes.h"
#include "applications/measured_rates.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class AdaptiveWeighted : public Technique {
 public:
  AdaptiveWeighted(const Options& options, bool by_batch, bool with_overhead)
      : first_(static_cast<std::int64_t>(options.number("first", 1))),
        by_batch_(by_batch),
        with_overhead_(with_overhead) {}

  void begin(const LoopFacts& facts) override {
    cores_ = facts.cores;
    history_.assign(facts.cores, {});
    rates_.begin(facts.cores);
    batches_.begin(facts.cores);
  }

  std::int64_t chunk(std::int32_t core, std::int64_t remaining) override {
    if (rates_[core] == 0) return first_;
    if (!by_batch_ || batches_.next()) size_ = ceil_divided(remaining, 2 * cores_);
    const double weight = rates_[core] * rates_.measured() / rates_.sum();
    return rounded(weight * static_cast<double>(size_), remaining);
  }

  void done(std::int32_t core, std::int64_t tasks, double work_s, double total_s) override {
    History& history = history_[core];
    history.chunks += 1;
    history.times += history.chunks * (with_overhead_ ? total_s : work_s);
    history.sizes += history.chunks * static_cast<double>(tasks);
    rates_.set(core, history.times / history.sizes);
  }

  bool adaptive() const override { return true; }

 private:
  // Measurements of a core: chunk k has weight k.
  struct History {
    double chunks = 0, times = 0, sizes = 0;
  };

  std::int64_t first_;
  bool by_batch_, with_overhead_;
  std::int64_t cores_ = 1;
  std::int64_t size_ = 1;  // tasks of a chunk of weight 1
  std::vector<History> history_;
  MeasuredRates rates_;
  Batches batches_;
};

RegisterTechnique::Factory variant(bool by_batch, bool with_overhead) {
  return [=](const Options& options) { return std::make_unique<AdaptiveWeighted>(options, by_batch, with_overhead); };
}

const RegisterTechnique b{"awf-b", variant(true, false)};
const RegisterTechnique c{"awf-c", variant(false, false)};
const RegisterTechnique d{"awf-d", variant(true, true)};
const RegisterTechnique e{"awf-e", variant(false, true)};

}  // namespace
}  // namespace thinktime
