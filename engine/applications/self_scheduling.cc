// SS: one task per request. Best balance, maximum overhead. Tang and Yew 1986.
#include "applications/technique.h"

namespace thinktime {
namespace {

class SelfScheduling : public Technique {
 public:
  void begin(const LoopFacts&) override {}
  std::int64_t chunk(std::int32_t, std::int64_t) override { return 1; }
};

const RegisterTechnique ss{"ss", [](const Options&) { return std::make_unique<SelfScheduling>(); }};

}  // namespace
}  // namespace thinktime
