// Rejects every job on submission, which leaves the cost of the simulator itself (AccaSim's speed study).
#include "system/scheduler.h"

namespace thinktime {
namespace {

class Reject : public Scheduler {
 public:
  bool admits(const System&, JobId) const override { return false; }
  void submitted(const System&, JobId) override {}
  void ended(const System&, JobId) override {}
  void pass(System&) override {}
  void waiting(const System&, std::vector<JobId>&) const override {}
};

const RegisterScheduler reject{"reject", [](const Options&) { return std::make_unique<Reject>(); }};

}  // namespace
}  // namespace thinktime
