#include "platform/promises.h"

#include "platform/expected_ends.h"
#include "platform/promise_sweep.h"

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
  Time promise(std::uint32_t i, Time now) const { return running_.promise(now, free_, jobs_[i].processors).shadow; }

 private:
  Release release(std::uint32_t i) const { return {jobs_[i].expected_end, i, jobs_[i].processors}; }

  const std::vector<Scheduled>& jobs_;
  Processors free_;
  ExpectedEnds running_;
};

}  // namespace

std::vector<Time> promised_starts(const std::vector<Scheduled>& jobs, Processors processors) {
  return sweep_promises(jobs, Counted(jobs, processors));
}

}  // namespace thinktime
