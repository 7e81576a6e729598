// The speeds of the platform's cores, relative to the machine's, and temporary slowdowns.
#pragma once
#include <vector>

#include "system/application.h"

namespace thinktime {

class Speeds {
 public:
  Speeds() = default;  // all 1
  explicit Speeds(const Plan& plan);

  bool all_one() const { return speeds_.empty() && windows_.empty(); }
  double of(Core core) const { return speeds_.empty() ? 1.0 : speeds_[core % speeds_.size()]; }

  // When a core that begins at `from` has done `work` seconds at speed 1; times are relative to `start`.
  Time done(Core core, Time start, Time from, double work) const {
    if (windows_.empty()) return from + work / of(core);
    return through_windows(core, start, from, work);
  }

 private:
  // From `from` until `until` in simulated time, a core runs at `factor` times its normal speed.
  struct Window {
    Time from, until;
    double factor;
  };

  Time through_windows(Core core, Time start, Time from, double work) const;

  std::vector<double> speeds_;       // by core, repeated cyclically
  std::vector<Window> windows_;      // by core, in time order
  std::vector<std::int64_t> first_;  // [core]: index of its first window; one extra entry for the end
};

}  // namespace thinktime
