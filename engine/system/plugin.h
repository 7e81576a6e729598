// A plugin: additional data and events around the schedule (failures, power, temperatures).
//
// Inside an instant: ends, then plugins whose time has come, then submissions, then the scheduling pass.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/registry.h"
#include "system/actions.h"
#include "system/system.h"

namespace thinktime {

// What a plugin sees and may do. The loop implements it.
class Control : public Actions {
 public:
  const System& system() const { return system_; }
  Cluster* cluster() { return system_.cluster(); }
  Values& values() { return system_.values(); }
  Time now() const { return system_.now(); }

  virtual void waiting(std::vector<JobId>& jobs) const = 0;  // the queue, in the scheduler's order
  virtual std::uint32_t runs_before(JobId id) const = 0;     // runs of this job that were aborted

  // A closed node takes no new jobs. A broken node is closed and draws no power.
  virtual void close(NodeId node, bool broken = false) = 0;
  virtual void open(NodeId node, bool broken = false) = 0;
  virtual void changed() = 0;  // call it after a change of pools or of the calendar

 protected:
  explicit Control(System& system) : system_(system) {}
  ~Control() = default;

 private:
  System& system_;
};

// What a plugin has found, by name: one number, or a column of a table.
using Report = std::map<std::string, std::vector<double>>;

class Plugin {
 public:
  virtual ~Plugin() = default;
  virtual void begin(Control&) {}                              // before the first instant
  virtual void loaded(std::span<const JobId>, const Plan&) {}  // new jobs in these slots, with numbers for each
  virtual void act(Control&) {}                                // now == next()
  virtual bool admits(Control&, JobId) { return true; }        // at submission; false: the job is rejected
  virtual void submitted(Control&, JobId) {}                   // the job has joined the queue
  virtual void before_pass(Control&) {}
  virtual void after_pass(Control&) {}
  virtual bool allows(Control&, JobId) { return true; }  // false: for the scheduler there is no room now
  virtual Time delay(Control&, JobId) { return 0; }      // seconds until a job that starts now really runs
  virtual void started(Control&, JobId) {}
  virtual void shrunk(Control&, const GivenBack&) {}         // a job goes on without these processors
  virtual void ending(Control&, JobId) {}                    // the job is over, or aborted, and still has its nodes
  virtual void ended(Control&, JobId) {}                     // its nodes are free; its placement is still known
  virtual void closed(Control&, NodeId, bool /*broken*/) {}  // for one more reason
  virtual void opened(Control&, NodeId, bool /*broken*/) {}  // for one reason less
  virtual void finish(Control&) {}                           // nothing is left to happen; may be called again
  virtual void report(Report&) const {}                      // what has been found and not been taken
  // In constant-memory runs: moves rows of growing tables out. These jobs are over; with `all` the run is over too.
  virtual void take(Report&, std::span<const JobId> /*over*/, bool /*all*/) {}

  Time next() const { return next_; }

 protected:
  Time next_ = kNever;  // when the plugin acts next
};

using RegisterPlugin = Registry<Plugin, const Plan&>;

inline std::unique_ptr<Plugin> make_plugin(const std::string& name, const Plan& plan) {
  return RegisterPlugin::make("plugin", name, plan);
}

}  // namespace thinktime
