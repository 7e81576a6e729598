// A scheduler is called at submissions and ends, and decides in pass() which jobs start now.
//
// One policy is one file, which registers itself under the name of its Python spec and reads the options of the spec.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/options.h"
#include "core/registry.h"
#include "system/system.h"

namespace thinktime {

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  virtual bool admits(const System&, JobId) const { return true; }  // false: the job is rejected at submission
  virtual void submitted(const System& system, JobId job) = 0;      // joins the queue
  virtual void ended(const System& system, JobId job) = 0;          // its processors are free again
  virtual void shrunk(const System&, const GivenBack&) {}           // a job goes on without some of its processors
  virtual void changed(const System&) {}                            // nodes were closed or opened, or pools resized
  virtual void pass(System& system) = 0;                            // starts jobs with system.start()
  virtual void waiting(const System&, std::vector<JobId>& jobs) const = 0;  // the queue, in the policy's order
  virtual bool requeues() const { return false; }                           // whether it may requeue running jobs

  Time wake() const { return wake_; }
  Time idle_wake() const { return idle_wake_; }

 protected:
  // Values instead of virtual functions, because the loop reads them at every event.
  Time wake_ = kNever;       // time of an extra pass
  Time idle_wake_ = kNever;  // time of a pass if no other event is left
};

using RegisterScheduler = Registry<Scheduler, const Options&>;

inline std::unique_ptr<Scheduler> make_scheduler(const std::string& name, const Options& options) {
  return RegisterScheduler::make("scheduler", name, options);
}

}  // namespace thinktime
