#include "users/reacting.h"

namespace thinktime {

std::vector<bool> Reacting::take_ties(const Plan& plan, Plan::Indices unit, std::size_t units) {
  std::vector<bool> shares(units, false);
  by_log_ = plan.options.text("ties", "planned") == "original";
  const auto recorded = plan.times("recorded_s", unit.size());
  places_.resize(unit.size());
  together_.assign(unit.size(), kNoJob);
  for (JobId from = 0, past; from < unit.size(); from = past) {
    bool several = false;
    for (past = from + 1; past < unit.size() && recorded[past] == recorded[from]; ++past)
      several = several || unit[past] != unit[from];
    for (JobId job = from; several && job < past; ++job) {
      together_[job] = from;
      shares[static_cast<std::size_t>(unit[job])] = true;
    }
  }
  return shares;
}

}  // namespace thinktime
