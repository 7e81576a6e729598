#include "checks/promises.h"

#include <algorithm>
#include <limits>

#include "checks/promise_sweep.h"
#include "platform/expected_ends.h"

namespace thinktime {
namespace {

class Counted {
 public:
  Counted(const std::vector<Scheduled>& jobs, Processors processors) : jobs_(jobs), free_(processors) {}

  void start(std::uint32_t i) {
    running_.add(release(i));
    free_ -= jobs_[i].processors;
  }
  void end(std::uint32_t i) {
    running_.remove(release(i));
    free_ += jobs_[i].processors;
  }
  Time promise(std::uint32_t i, Time now) const {
    return running_.promise(now, static_cast<Processors>(std::max(free_, kFewest)), jobs_[i].processors).shadow;
  }

 private:
  Release release(std::uint32_t i) const { return {jobs_[i].expected_end, i, jobs_[i].processors}; }

  const std::vector<Scheduled>& jobs_;
  static constexpr std::int64_t kFewest = std::numeric_limits<Processors>::min();

  std::int64_t free_;  // negative if the schedule uses more than the machine has
  ExpectedEnds running_;
};

}  // namespace

std::vector<Time> promised_starts(const std::vector<Scheduled>& jobs, Processors processors) {
  return sweep_promises(jobs, Counted(jobs, processors));
}

}  // namespace thinktime
