// Longest job first, by estimate.
#include "schedulers/list_policy.h"

namespace thinktime {

static const RegisterScheduler ljf{"ljf", [](const Options& options) {
                                     return std::make_unique<ListPolicy>(Order("longest", options),
                                                                         options.flag("skip", false));
                                   }};

}  // namespace thinktime
