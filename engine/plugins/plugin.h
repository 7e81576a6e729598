// A plugin: additional data around the schedule. See README.md.
//
// Inside an instant: ends, then plugins whose time has come, then submissions, then the pass.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/registry.h"
#include "core/types.h"
#include "platform/calendar.h"

namespace thinktime {

class Simulation;
struct GivenBack;

// What a plugin has found, by name: one number, or a column of a table.
using Report = std::map<std::string, std::vector<double>>;

class Plugin {
 public:
  virtual ~Plugin() = default;
  virtual void begin(Simulation&) {}                                // before the first instant
  virtual void act(Simulation&) {}                                  // now == next()
  virtual bool admits(Simulation&, JobId) { return true; }          // at submission; false: the job is rejected
  virtual void submitted(Simulation&, JobId) {}                     // it has joined the queue
  virtual void before_pass(Simulation&) {}
  virtual void after_pass(Simulation&) {}
  virtual bool allows(Simulation&, JobId) { return true; }          // false: the scheduler is told there is no room now
  virtual Time delay(Simulation&, JobId) { return 0; }              // of a job that starts: how long until it really runs
  virtual void started(Simulation&, JobId) {}
  virtual void shrunk(Simulation&, const GivenBack&) {}             // a job goes on without these processors
  virtual void ending(Simulation&, JobId) {}                        // it is over, or aborted, and still has its nodes
  virtual void ended(Simulation&, JobId) {}                         // where it ran is still known
  virtual void closed(Simulation&, NodeId, bool /*broken*/) {}      // for one more reason
  virtual void opened(Simulation&, NodeId, bool /*broken*/) {}      // one reason less
  virtual void finish(Simulation&) {}                               // nothing is left; may be called again
  virtual void report(Report&) const {}

  Time next() const { return next_; }

 protected:
  Time next_ = kNever;  // when it wants to act
};

using RegisterPlugin = Registry<Plugin, const Plan&>;

inline std::unique_ptr<Plugin> make_plugin(const std::string& name, const Plan& plan) {
  return RegisterPlugin::make("plugin", name, plan);
}

}  // namespace thinktime
