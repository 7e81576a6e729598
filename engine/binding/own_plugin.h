// A plugin written in Python (src/thinktime/plugins/own.py). Only the callbacks that the object has are called; each
// call takes the GIL.
#pragma once
#include <nanobind/nanobind.h>

#include <map>
#include <memory>
#include <string>

#include "system/plugin.h"

namespace thinktime {

// What a callback may use; valid during a callback only.
struct Backstage {
  Control* control = nullptr;
  bool may_act = false;  // nodes may be closed and jobs aborted, because a pass follows
  Time wake = kNever;    // when the plugin acts next
  std::map<std::pair<NodeId, bool>, std::uint32_t> closed;  // closures by this plugin: (node, broken) to their number
};

class OwnPlugin : public Plugin {
 public:
  explicit OwnPlugin(nanobind::object behaviour);
  ~OwnPlugin() override;

  void begin(Control& control) override;
  void act(Control& control) override;
  bool admits(Control& control, JobId id) override;
  void submitted(Control& control, JobId id) override;
  void before_pass(Control& control) override;
  void after_pass(Control& control) override;
  bool allows(Control& control, JobId id) override;
  Time delay(Control& control, JobId id) override;
  void started(Control& control, JobId id) override;
  void shrunk(Control& control, const GivenBack& given) override;
  void ending(Control& control, JobId id) override;
  void ended(Control& control, JobId id) override;

  int visit(visitproc visit, void* arg) const;
  void let_go();

 private:
  enum Callback {
    kBegin,
    kAct,
    kSubmitting,
    kSubmitted,
    kBefore,
    kAfter,
    kStarting,
    kDelay,
    kStarted,
    kShrunk,
    kEnding,
    kEnded,
    kCallbacks
  };

  bool has(Callback callback) const { return callbacks_[callback].is_valid(); }
  nanobind::object call(Control& control, Callback callback, bool may_act, std::int64_t row = -1);
  void tell(Control& control, Callback callback, bool may_act, std::int64_t row = -1);
  std::int64_t row(Control& control, JobId id) const { return control.system().job(id).row; }

  nanobind::object behaviour_;
  nanobind::object callbacks_[kCallbacks];  // invalid if the object has no such callback
  std::shared_ptr<Backstage> backstage_;
  nanobind::object view_;
};

void bind_own_plugin(nanobind::module_& m);

}  // namespace thinktime
