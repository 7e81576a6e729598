// First come, first served: the head starts when it fits; with skip, later jobs may pass it.
//
// Without skip the queue needs no key and no search, so it is a plain FIFO, unless plugins can requeue jobs.
#include <deque>

#include "schedulers/list_policy.h"

namespace thinktime {
namespace {

class Fcfs : public Scheduler {
 public:
  void submitted(const System& system, JobId job) override { queue_.push_back({job, system.job(job).processors}); }
  void ended(const System&, JobId) override {}

  void pass(System& system) override {
    while (!queue_.empty() && queue_.front().processors <= system.free() && system.has_room(queue_.front().job)) {
      system.start(queue_.front().job);
      queue_.pop_front();
    }
  }

  void waiting(const System&, std::vector<JobId>& jobs) const override {
    for (const InLine& waiting : queue_) jobs.push_back(waiting.job);
  }

 private:
  struct InLine {
    JobId job;
    Processors processors;
  };
  std::deque<InLine> queue_;
};

std::unique_ptr<Scheduler> make_fcfs(const Options& options) {
  const bool skip = options.flag("skip", false);
  if (skip || options.flag("plugins", false)) return std::make_unique<ListPolicy>(Order("arrival", options), skip);
  return std::make_unique<Fcfs>();
}

const RegisterScheduler fcfs{"fcfs", make_fcfs};

}  // namespace
}  // namespace thinktime
