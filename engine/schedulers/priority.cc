// List scheduling by any key of order.cc: WFP3, UNICEF, F1-F4, area, expansion factor, ..., or a composed one.
#include "schedulers/eligible_list.h"
#include "schedulers/list_policy.h"

namespace thinktime {

static std::unique_ptr<Scheduler> make_priority(const Options& options) {
  const Order order(options.text("key", "wfp3"), options);
  const bool skip = options.flag("skip", false);
  const std::string eligible = options.text("eligible", "");
  if (eligible.empty()) return std::make_unique<ListPolicy>(order, skip);
  return std::make_unique<EligibleList>(order, Order(eligible, options), skip);
}

static const RegisterScheduler priority{"priority", make_priority};

}  // namespace thinktime
