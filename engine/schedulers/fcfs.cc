// First come, first served.
#include "schedulers/list_policy.h"

namespace thinktime {

static const RegisterScheduler fcfs{"fcfs", [](const Options& options) {
  return std::make_unique<ListPolicy>(Order("arrival", options), options.flag("skip", false));
}};

}  // namespace thinktime
