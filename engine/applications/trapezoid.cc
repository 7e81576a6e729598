// Chunks that shrink by a constant amount.
//
// TSS: from f = ceil(N / 2P) down to l = 1 in n = ceil(2N / (f + l)) chunks, each d = (f - l) / (n - 1) smaller than
// the previous one. Tzen and Ni 1993. Their d is an integer, which is 0 for N below about 8 P^2; then all chunks are f.
// decrement=exact keeps the fraction. TFSS: batches of P equal chunks, the mean of the next P of TSS. Chronopoulos,
// Andonie, Benche and Grosu 2001.
#include <algorithm>
#include <cmath>

#include "applications/chunk_sizes.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class Trapezoid : public Technique {
 public:
  explicit Trapezoid(const Options& options) : exact_(options.text("decrement", "whole") == "exact") {}

  void begin(const LoopFacts& facts) override {
    const std::int64_t first = ceil_divided(facts.tasks, std::int64_t{2} * facts.cores);
    const std::int64_t chunks = std::max<std::int64_t>(2, ceil_divided(2 * facts.tasks, first + 1));
    first_ = static_cast<double>(first);
    const double step = (first_ - 1) / static_cast<double>(chunks - 1);
    step_ = exact_ ? step : std::floor(step);
    asked_ = 0;
  }

  std::int64_t chunk(std::int32_t, std::int64_t) override { return size(static_cast<double>(asked_++)); }

 protected:
  // The size of chunk k, at least 1; k + 0.5 lies between two chunks.
  std::int64_t size(double k) const {
    const double height = first_ - k * step_;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(exact_ ? height + 0.5 : height)));
  }

 private:
  bool exact_;
  double first_ = 1, step_ = 0;
  std::int64_t asked_ = 0;
};

class TrapezoidFactoring : public Trapezoid {
 public:
  using Trapezoid::Trapezoid;

  void begin(const LoopFacts& facts) override {
    Trapezoid::begin(facts);
    cores_ = facts.cores;
    batches_.begin(facts.cores);
  }

  std::int64_t chunk(std::int32_t, std::int64_t) override {
    batches_.next();
    return size(static_cast<double>(batches_.batch() * cores_) + static_cast<double>(cores_ - 1) / 2.0);
  }

 private:
  std::int64_t cores_ = 1;
  Batches batches_;
};

const RegisterTechnique tss{"tss", [](const Options& options) { return std::make_unique<Trapezoid>(options); }};
const RegisterTechnique tfss{"tfss",
                             [](const Options& options) { return std::make_unique<TrapezoidFactoring>(options); }};

}  // namespace
}  // namespace thinktime
