// Fluid users work during the log's sessions, but not on the same batches. Zakay and Feitelson 2014.
//
// A batch that becomes available inside a session of its user is submitted after a delay drawn from the user's delays
// inside sessions; outside, it waits for the next session.
#include "core/random.h"
#include "users/activity.h"
#include "users/batch_users.h"

namespace thinktime {
namespace {

class Fluid : public BatchUsers {
 public:
  explicit Fluid(const Plan& plan)
      : BatchUsers(plan),
        think_(plan, "inside_think", users()),
        inter_arrival_(plan, "inside_inter_arrival", users()),
        activity_(plan, users()) {
    const auto keys = plan.words("stream", 2 * users());
    for (std::size_t u = 0; u < users(); ++u) draws_.emplace_back(keys[2 * u], keys[2 * u + 1]);
    begin_all();
  }

 protected:
  Time arrival(const Available& a) override {
    const double draw =
        draws_[a.user].uniform();  // one per batch, used or not, so that later draws do not depend on it
    const Activity::Place place = activity_.at(a.user, a.now);
    return place.inside ? a.now + (a.waited ? think_ : inter_arrival_).pick(a.user, draw) : place.next;
  }

 private:
  Pools think_, inter_arrival_;  // by user: delays inside sessions
  Activity activity_;
  std::vector<Philox> draws_;  // by user
};

const RegisterUsers fluid{"fluid", [](const Plan& plan) { return std::make_unique<Fluid>(plan); }};

}  // namespace
}  // namespace thinktime
