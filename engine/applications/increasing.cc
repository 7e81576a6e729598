// Chunks that grow from batch to batch of P equal ones. Philip and Das 1997; formulas as in LB4OMP.
//
// FISS: B stages, from N / ((2 + B) P) by 2 N (1 - B / (2 + B)) / (P B (B - 1)) per stage, both rounded down. VISS:
// from c = N / (X P), and increments that halve: c (2 - 1/2^k) in batch k.
#include <algorithm>

#include "applications/chunk_sizes.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class FixedIncrease : public Technique {
 public:
  explicit FixedIncrease(double stages) : stages_(static_cast<std::int64_t>(stages)) {}

  void begin(const LoopFacts& facts) override {
    const std::int64_t parts = (2 + stages_) * facts.cores;
    first_ = std::max<std::int64_t>(1, facts.tasks / parts);
    step_ = 4 * facts.tasks / (parts * stages_ * (stages_ - 1));  // 1 - B / (2 + B) = 2 / (2 + B), so integers suffice
    batches_.begin(facts.cores);
  }

  std::int64_t chunk(std::int32_t, std::int64_t) override {
    batches_.next();
    return first_ + batches_.batch() * step_;
  }

 private:
  std::int64_t stages_;
  std::int64_t first_ = 1, step_ = 0;
  Batches batches_;
};

class VariableIncrease : public Technique {
 public:
  explicit VariableIncrease(double divisor) : divisor_(static_cast<std::int64_t>(divisor)) {}

  void begin(const LoopFacts& facts) override {
    first_ = std::max<std::int64_t>(1, facts.tasks / (divisor_ * facts.cores));
    batches_.begin(facts.cores);
  }

  std::int64_t chunk(std::int32_t, std::int64_t) override {
    batches_.next();
    const std::int64_t halvings = std::min<std::int64_t>(batches_.batch(), 62);
    return 2 * first_ - (((first_ - 1) >> halvings) + 1);  // the second term is first / 2^k, rounded up
  }

 private:
  std::int64_t divisor_;
  std::int64_t first_ = 1;
  Batches batches_;
};

const RegisterTechnique fiss{
    "fiss", [](const Options& options) { return std::make_unique<FixedIncrease>(options.number("stages", 3)); }};
const RegisterTechnique viss{
    "viss", [](const Options& options) { return std::make_unique<VariableIncrease>(options.number("divisor", 4)); }};

}  // namespace
}  // namespace thinktime
