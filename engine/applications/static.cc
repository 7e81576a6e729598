// STATIC: each core gets one block of ceil(N / P) tasks, the last cores fewer or none. static-balanced: the first
// N mod P cores get one task more than the others.
#include "applications/chunk_sizes.h"
#include "applications/technique.h"

namespace thinktime {
namespace {

class Static : public Technique {
 public:
  void begin(const LoopFacts& facts) override { size_ = ceil_divided(facts.tasks, facts.cores); }
  std::int64_t chunk(std::int32_t, std::int64_t) override { return size_; }

 private:
  std::int64_t size_ = 1;
};

class StaticBalanced : public Technique {
 public:
  void begin(const LoopFacts& facts) override {
    size_ = facts.tasks / facts.cores;
    larger_ = facts.tasks % facts.cores;
  }
  std::int64_t chunk(std::int32_t, std::int64_t) override { return size_ + (larger_-- > 0); }

 private:
  std::int64_t size_ = 1;
  std::int64_t larger_ = 0;  // remaining requests that get one task more
};

const RegisterTechnique blocks{"static", [](const Options&) { return std::make_unique<Static>(); }};
const RegisterTechnique balanced{"static-balanced", [](const Options&) { return std::make_unique<StaticBalanced>(); }};

}  // namespace
}  // namespace thinktime
