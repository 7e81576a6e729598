// How fast the cores of the platform are: speeds relative to the machine's, and slowdowns for a while.
#pragma once
#include <vector>

#include "system/application.h"

namespace thinktime {

class Speeds {
 public:
  explicit Speeds(const Plan& plan);

  bool all_one() const { return speeds_.empty() && windows_.empty(); }
  double of(Core core) const { return speeds_.empty() ? 1.0 : speeds_[core % speeds_.size()]; }

  // When a core has done `work` seconds of a core of speed 1, if it begins at `from`; times are counted from `start`.
  Time done(Core core, Time start, Time from, double work) const {
    if (windows_.empty()) return from + work / of(core);
    return through_windows(core, start, from, work);
  }

 private:
  // From `from` until `until` of simulation time a core works `factor` times as fast as it usually does.
  struct Window {
    Time from, until;
    double factor;
  };

  Time through_windows(Core core, Time start, Time from, double work) const;

  std::vector<double> speeds_;       // by core, then again from the first
  std::vector<Window> windows_;      // of all cores, core by core, one after the other
  std::vector<std::int64_t> first_;  // [core]: its first window; of the core beyond the last, the end
};

}  // namespace thinktime
