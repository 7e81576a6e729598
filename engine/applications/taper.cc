// TAP: the P-th part T of the remaining tasks, reduced according to the variation of the tasks:
// T + v^2/2 - v sqrt(2T + v^2/4) with v = alpha sigma / mu. Lucco 1992.
#include <cmath>

#include "applications/chunk_sizes.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class Taper : public Technique {
 public:
  explicit Taper(double alpha) : alpha_(alpha) {}

  void begin(const LoopFacts& facts) override {
    cores_ = facts.cores;
    v_ = facts.mean_s > 0 ? alpha_ * facts.deviation_s / facts.mean_s : 0.0;
  }

  std::int64_t chunk(std::int32_t, std::int64_t remaining) override {
    const double share = static_cast<double>(remaining) / cores_;
    return rounded_up(share + v_ * v_ / 2.0 - v_ * std::sqrt(2.0 * share + v_ * v_ / 4.0), remaining);
  }

 private:
  double alpha_;
  double cores_ = 1;
  double v_ = 0;  // alpha times the coefficient of variation
};

const RegisterTechnique tap{
    "tap", [](const Options& options) { return std::make_unique<Taper>(options.number("alpha", 1.3)); }};

}  // namespace
}  // namespace thinktime
