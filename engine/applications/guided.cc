// GSS: a chunk is the P-th part of the remaining tasks, ceil(R / P). Polychronopoulos and Kuck 1987.
#include "applications/chunk_sizes.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class Guided : public Technique {
 public:
  void begin(const LoopFacts& facts) override { cores_ = facts.cores; }
  std::int64_t chunk(std::int32_t, std::int64_t remaining) override { return ceil_divided(remaining, cores_); }

 private:
  std::int64_t cores_ = 1;
};

const RegisterTechnique gss{"gss", [](const Options&) { return std::make_unique<Guided>(); }};

}  // namespace
}  // namespace thinktime
