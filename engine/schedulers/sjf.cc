// Shortest job first, by estimate.
#include "schedulers/list_policy.h"

namespace thinktime {

static const RegisterScheduler sjf{"sjf", [](const Options& options) {
                                     return std::make_unique<ListPolicy>(Order("estimate", options),
                                                                         options.flag("skip", false));
                                   }};

}  // namespace thinktime
