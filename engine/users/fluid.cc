// Fluid users work in the sessions that the log has, but not on the same batches. Zakay and Feitelson 2014.
//
// A batch that becomes available inside a session of its user comes after one of the user's own delays inside
// sessions; outside it waits for the next session to begin. When the sessions are over they come again, all of them, a
// whole number of weeks later: the least number that puts the first one after the last one.
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "users/batch_users.h"

namespace thinktime {
namespace {

class Fluid : public BatchUsers {
 public:
  explicit Fluid(const Plan& plan)
      : BatchUsers(plan),
        week_(plan.options.number("week_s", 0)),
        think_(plan, "inside_think", users()),
        inter_arrival_(plan, "inside_inter_arrival", users()),
        begins_(copied(plan.times("session_begin_s"))),
        ends_(copied(plan.times("session_end_s", begins_.size()))),
        sessions_(copied(plan.starts("session_start", users(), begins_.size()))) {
    const auto keys = plan.words("stream", 2 * users());
    for (std::size_t u = 0; u < users(); ++u) draws_.emplace_back(keys[2 * u], keys[2 * u + 1]);
    begin_all();
  }

 protected:
  Time arrival(const Available& a) override {
    const double draw = draws_[a.user].uniform();  // one a batch, used or not: the next one's does not depend on it
    const Place place = place_of(a.user, a.now);
    return place.inside ? a.now + (a.waited ? think_ : inter_arrival_).pick(a.user, draw) : place.next;
  }

 private:
  struct Place {
    bool inside;  // a session
    Time next;    // if outside: when the next session begins
  };

  Place place_of(Index user, Time now) const {
    const auto first = static_cast<std::size_t>(sessions_[user]), past = static_cast<std::size_t>(sessions_[user + 1]);
    const double period = (std::floor((ends_[past - 1] - begins_[first]) / week_) + 1) * week_;
    const double again = std::max(0.0, std::floor((now - begins_[first]) / period));
    const Time shift = again * period;
    const auto begin = begins_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begins_.begin() + static_cast<std::ptrdiff_t>(past);
    const auto later = std::partition_point(begin, end, [&](Time b) { return b + shift <= now; });
    if (later != begin && now <= ends_[static_cast<std::size_t>(later - begins_.begin()) - 1] + shift) return {true, now};
    return {false, later == end ? begins_[first] + (again + 1) * period : *later + shift};
  }

  double week_;
  Pools think_, inter_arrival_;  // by user: delays inside sessions
  std::vector<Time> begins_, ends_;  // of sessions, user by user, as recorded: first and last submission
  std::vector<std::int64_t> sessions_;  // where a user's begin
  std::vector<Philox> draws_;    // by user
};

const RegisterUsers fluid{"fluid", [](const Plan& plan) { return std::make_unique<Fluid>(plan); }};

}  // namespace
}  // namespace thinktime
