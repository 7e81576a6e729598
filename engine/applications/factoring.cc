// Factoring: batches of P equal chunks; each batch is a part of the remaining tasks.
//
// fac-probabilistic computes the part from mean and deviation of the tasks: ceil(R / (x P)), where
//   x = 1 + b^2 + b sqrt(b^2 + 2) in the first batch, x = 2 + b^2 + b sqrt(b^2 + 4) later, b = P sigma / (2 mu
//   sqrt(R)).
// fac is FAC2, which needs neither: x = 2. Hummel, Schonberg and Flynn 1992. wf is FAC2 with each chunk multiplied by
// the weight of its core; the weights are the relative speeds, with sum P. Hummel, Schmidt, Uma and Wein 1996.
#include <cmath>

#include "applications/chunk_sizes.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class Factoring : public Technique {
 public:
  void begin(const LoopFacts& facts) override {
    cores_ = facts.cores;
    batches_.begin(facts.cores);
  }

  std::int64_t chunk(std::int32_t, std::int64_t remaining) override {
    if (batches_.next()) size_ = size(remaining);
    return size_;
  }

 protected:
  virtual std::int64_t size(std::int64_t remaining) const { return ceil_divided(remaining, 2 * cores_); }

  std::int64_t cores_ = 1;
  Batches batches_;

 private:
  std::int64_t size_ = 1;  // tasks per chunk in this batch
};

class Probabilistic : public Factoring {
 public:
  void begin(const LoopFacts& facts) override {
    Factoring::begin(facts);
    mean_ = facts.mean_s;
    deviation_ = facts.deviation_s;
  }

 private:
  std::int64_t size(std::int64_t remaining) const override {
    const double cores = static_cast<double>(cores_), tasks = static_cast<double>(remaining);
    const double b = mean_ > 0 ? cores * deviation_ / (2.0 * mean_ * std::sqrt(tasks)) : 0.0;
    const double least = batches_.batch() == 0 ? 1.0 : 2.0;
    const double x = least + b * b + b * std::sqrt(b * b + 2.0 * least);
    return rounded_up(tasks / (x * cores), remaining);
  }

  double mean_ = 0, deviation_ = 0;  // seconds per task
};

class Weighted : public Factoring {
 public:
  void begin(const LoopFacts& facts) override {
    Factoring::begin(facts);
    speeds_ = facts.speeds;
    total_speed_ = 0;
    for (const double speed : speeds_) total_speed_ += speed;
  }

  std::int64_t chunk(std::int32_t core, std::int64_t remaining) override {
    const std::int64_t size = Factoring::chunk(core, remaining);
    if (speeds_.empty()) return size;
    const double weight = speeds_[core] * static_cast<double>(cores_) / total_speed_;
    return rounded(weight * static_cast<double>(size), remaining);
  }

  bool adaptive() const override { return true; }

 private:
  std::span<const double> speeds_;  // by core
  double total_speed_ = 0;
};

const RegisterTechnique fac{"fac", [](const Options&) { return std::make_unique<Factoring>(); }};
const RegisterTechnique probabilistic{"fac-probabilistic",
                                      [](const Options&) { return std::make_unique<Probabilistic>(); }};
const RegisterTechnique wf{"wf", [](const Options&) { return std::make_unique<Weighted>(); }};

}  // namespace
}  // namespace thinktime
