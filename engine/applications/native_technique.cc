// A technique that is a compiled function of the user, such as a Numba cfunc. It may keep numbers for each loop, and
// for each core of the loop; all are 0 when the loop begins.
#include <cstdint>

#include "applications/technique.h"
#include "core/native_functions.h"

namespace thinktime {
namespace {

class NativeTechnique : public Technique {
 public:
  using Chunk = std::int64_t (*)(std::int64_t remaining, std::int64_t worker, std::int64_t tasks, std::int64_t workers,
                                 double mean_s, double deviation_s, double overhead_s, double* state);
  using Done = void (*)(std::int64_t worker, std::int64_t tasks, double work_s, double total_s, double* state);

  explicit NativeTechnique(const Options& options)
      : chunk_(reinterpret_cast<Chunk>(address_of(options.text("chunk_function", "0")))),
        state_size_(static_cast<std::size_t>(options.number("state", 0))),
        worker_size_(static_cast<std::size_t>(options.number("per_worker", 0))) {
    const std::string done = options.text("done_function", "");
    if (!done.empty()) done_ = reinterpret_cast<Done>(address_of(done));
  }

  void begin(const LoopFacts& facts) override {
    facts_ = facts;
    state_.assign(state_size_ + worker_size_ * static_cast<std::size_t>(facts.cores) + 1, 0.0);
  }
  std::int64_t chunk(std::int32_t core, std::int64_t remaining) override {
    return chunk_(remaining, core, facts_.tasks, facts_.cores, facts_.mean_s, facts_.deviation_s, facts_.overhead_s,
                  state_.data());
  }
  void done(std::int32_t core, std::int64_t tasks, double work_s, double total_s) override {
    done_(core, tasks, work_s, total_s, state_.data());
  }
  bool adaptive() const override { return done_ != nullptr; }

 private:
  static std::uintptr_t address_of(const std::string& text) {
    const auto address = static_cast<std::uintptr_t>(std::stoull(text));
    require_native(address);
    return address;
  }

  Chunk chunk_;
  Done done_ = nullptr;
  std::size_t state_size_, worker_size_;
  LoopFacts facts_{};
  std::vector<double> state_;
};

const RegisterTechnique native{"native", [](const Options& o) { return std::make_unique<NativeTechnique>(o); }};

}  // namespace
}  // namespace thinktime
