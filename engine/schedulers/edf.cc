// Earliest deadline first; deadline = submit + deadline_factor * estimate.
#include "schedulers/list_policy.h"

namespace thinktime {

static const RegisterScheduler edf{"edf", [](const Options& options) {
                                     return std::make_unique<ListPolicy>(Order("deadline", options),
                                                                         options.flag("skip", false));
                                   }};

}  // namespace thinktime
