// A counted machine: identical processors of one speed.
#pragma once
#include "core/types.h"

namespace thinktime {

class Machine {
 public:
  explicit Machine(Processors processors) : processors_(processors), free_(processors) {}

  Processors processors() const { return processors_; }
  Processors free() const { return free_; }
  void take(Processors n) { free_ -= n; }
  void give(Processors n) { free_ += n; }
  void set_free(Processors n) { free_ = n; }

 private:
  Processors processors_;
  Processors free_;  // negative only within an instant of each-submit-first, see System::free
};

}  // namespace thinktime
