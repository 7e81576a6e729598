// RAND: sizes drawn uniformly from smallest to largest, by default from 1 to ceil(N / P), from the stream of the loop.
// From LB4OMP, where the largest is N - 1 (largest=all).
#include <algorithm>

#include "applications/chunk_sizes.h"
#include "applications/technique.h"
#include "core/random.h"

namespace thinktime {
namespace {

class RandomChunks : public Technique {
 public:
  explicit RandomChunks(const Options& options)
      : smallest_(static_cast<std::int64_t>(options.number("smallest", 1))),
        largest_(static_cast<std::int64_t>(options.number("largest", 0))),
        all_(options.flag("all", false)) {}

  void begin(const LoopFacts& facts) override {
    draws_ = Philox(facts.key_low, facts.key_high);
    const std::int64_t otherwise = all_ ? facts.tasks - 1 : ceil_divided(facts.tasks, facts.cores);
    const std::int64_t largest = largest_ > 0 ? largest_ : otherwise;
    sizes_ = static_cast<double>(std::max<std::int64_t>(1, largest - smallest_ + 1));
  }

  std::int64_t chunk(std::int32_t, std::int64_t) override {
    return smallest_ + static_cast<std::int64_t>(draws_.uniform() * sizes_);
  }

 private:
  std::int64_t smallest_;
  std::int64_t largest_;  // 0: ceil(N / P)
  bool all_;              // largest = N - 1
  double sizes_ = 1;      // number of possible sizes
  Philox draws_{0, 0};
};

const RegisterTechnique rand{"rand", [](const Options& options) { return std::make_unique<RandomChunks>(options); }};

}  // namespace
}  // namespace thinktime
