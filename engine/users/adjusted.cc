// Adjusted arrivals: the recorded think time after an end, the recorded inter-arrival time otherwise.
// Zakay and Feitelson 2014.
#include "users/batch_users.h"

namespace thinktime {
namespace {

class Adjusted : public BatchUsers {
 public:
  explicit Adjusted(const Plan& plan)
      : BatchUsers(plan),
        think_(copied(plan.times("think_s", batches()))),
        inter_arrival_(copied(plan.times("inter_arrival_s", batches()))) {
    begin_all();
  }

 protected:
  Time arrival(const Available& a) override { return a.now + (a.waited ? think_ : inter_arrival_)[a.batch]; }

 private:
  std::vector<Time> think_;          // by batch; NaN if it depends on no batch
  std::vector<Time> inter_arrival_;  // by batch
};

const RegisterUsers adjusted{"adjusted", [](const Plan& plan) { return std::make_unique<Adjusted>(plan); }};

}  // namespace
}  // namespace thinktime
