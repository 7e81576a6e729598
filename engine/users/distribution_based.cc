// Users with hours of activity, who continue a session if responses are fast. Zakay and Feitelson 2014.
//
// Each user works by day or by night, on weekdays or on weekends; a night belongs to the day on which it begins. A
// batch that becomes available outside these hours waits for them. Inside them, the user continues the session with a
// probability that decreases with the last response time, after a delay drawn from those inside sessions. Otherwise the
// delay is drawn from those between sessions; if it ends outside the hours, the batch waits for them.
#include <cmath>

#include "core/random.h"
#include "users/batch_users.h"

namespace thinktime {
namespace {

constexpr double kDay = 86400.0;

class DistributionBased : public BatchUsers {
 public:
  explicit DistributionBased(const Plan& plan)
      : BatchUsers(plan),
        monday_(plan.options.number("monday_s", 0)),
        goes_on_(plan.options.number("goes_on", 0)),
        impatience_(plan.options.number("impatience", 0)),
        inside_{{plan, "inside_inter_arrival", users() + 1}, {plan, "inside_think", users() + 1}},
        between_{{plan, "between_inter_arrival", users() + 1}, {plan, "between_think", users() + 1}} {
    const auto keys = plan.words("stream", 2 * users());
    for (std::size_t u = 0; u < users(); ++u) {
      draws_.emplace_back(keys[2 * u], keys[2 * u + 1]);
      habits_.push_back(draw_habits(plan.options, draws_.back()));
    }
    begin_all();
  }

 protected:
  Time arrival(const Available& a) override {
    const double decides = draws_[a.user].uniform(), chooses = draws_[a.user].uniform();  // two per batch, used or not
    const Hours now = hours(a.user, a.now);
    if (!now.active) return now.next;
    if (decides < goes_on_ / (impatience_ * (a.response / 60.0) + 1.0))
      return a.now + pick(inside_[a.waited], a.user, chooses);
    const Time after = a.now + pick(between_[a.waited], a.user, chooses);
    const Hours then = hours(a.user, after);
    return then.active ? after : then.next;
  }

 private:
  struct Habits {
    Time begin;  // of the hours of activity, in seconds of the day
    Time length;
    bool weekdays;
  };
  struct Hours {
    bool active;
    Time next;  // when the next hours of activity begin
  };

  static Habits draw_habits(const Options& options, Philox& draws) {
    const Time day_begins = options.number("day_begins_s", 0), day_ends = options.number("day_ends_s", 0);
    const double day = draws.uniform(), shift = draws.uniform(), week = draws.uniform();
    const Time moved = (2.0 * shift - 1.0) * options.number("shift_s", 0);
    const bool by_day = day < options.number("by_day", 0);
    const bool weekdays = week < options.number("on_weekdays", 0);
    const Time length = day_ends - day_begins;
    return by_day ? Habits{day_begins + moved, length, weekdays} : Habits{day_ends + moved, kDay - length, weekdays};
  }

  Hours hours(Index user, Time time) const {
    const Habits& habits = habits_[user];
    bool active = false;
    // A night shifted by one day, the maximum, ends on the second day after its own.
    for (double day = std::floor((time - monday_) / kDay) - 2;; ++day) {
      if ((day - 7 * std::floor(day / 7) < 5) != habits.weekdays) continue;
      const Time begin = monday_ + (day * kDay + habits.begin);
      if (begin > time) return {active, begin};
      active = active || time < begin + habits.length;
    }
  }

  // A user without delays uses those of all users, stored last.
  Time pick(const Pools& pools, Index user, double uniform) const {
    return pools.pick(pools.empty(user) ? users() : user, uniform);
  }

  Time monday_;  // the time of a Monday 00:00
  double goes_on_, impatience_;
  Pools inside_[2], between_[2];  // indexed by whether the user waited for an end
  std::vector<Philox> draws_;     // by user
  std::vector<Habits> habits_;
};

const RegisterUsers distribution_based{"distribution-based",
                                       [](const Plan& plan) { return std::make_unique<DistributionBased>(plan); }};

}  // namespace
}  // namespace thinktime
