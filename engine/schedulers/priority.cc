// List scheduling by any key of order.cc: WFP3, UNICEF, F1-F4, area, expansion factor, ...
#include "schedulers/list_policy.h"

namespace thinktime {

static const RegisterScheduler priority{"priority", [](const Options& options) {
  return std::make_unique<ListPolicy>(Order(options.text("key", "wfp3"), options), options.flag("skip", false));
}};

}  // namespace thinktime
