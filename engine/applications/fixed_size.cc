// Chunks of one size, computed once.
//
// FSC: K = (sqrt(2) N h / (sigma P sqrt(ln P)))^(2/3), the size at which the overhead h of more chunks and the
// imbalance of larger ones cost the same. Kruskal and Weiss 1985. mFSC needs neither h nor sigma: about as many chunks
// as factoring makes. Banicescu, in DLS4LB.
#include <cmath>

#include "applications/chunk_sizes.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class FixedSize : public Technique {
 public:
  void begin(const LoopFacts& facts) override { size_ = size(facts); }
  std::int64_t chunk(std::int32_t, std::int64_t) override { return size_; }

 protected:
  virtual std::int64_t size(const LoopFacts& facts) const = 0;

 private:
  std::int64_t size_ = 1;
};

class Fsc : public FixedSize {
  std::int64_t size(const LoopFacts& facts) const override {
    const std::int64_t share = ceil_divided(facts.tasks, facts.cores);
    const double cores = facts.cores;
    const double below = facts.deviation_s * cores * std::sqrt(std::log(cores));
    if (below == 0) return share;  // constant tasks or one core: nothing to balance
    const double above = std::sqrt(2.0) * static_cast<double>(facts.tasks) * facts.overhead_s;
    return rounded_up(std::pow(above / below, 2.0 / 3.0), share);  // larger chunks would leave cores idle
  }
};

class Mfsc : public FixedSize {
  std::int64_t size(const LoopFacts& facts) const override {
    const double share = static_cast<double>(ceil_divided(facts.tasks, facts.cores));
    return share <= 1 ? 1 : whole(0.55 + share * std::log(2.0) / std::log(share), facts.tasks);
  }
};

const RegisterTechnique fsc{"fsc", [](const Options&) { return std::make_unique<Fsc>(); }};
const RegisterTechnique mfsc{"mfsc", [](const Options&) { return std::make_unique<Mfsc>(); }};

}  // namespace
}  // namespace thinktime
