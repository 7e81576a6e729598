// Replay with feedback of a log that is read in blocks: the same submissions as session_replay.cc.
//
// A user's sessions are cut as jobs are read; only the last one may still get jobs. The horizon: let R be the first
// recorded instant that is not taken. A job that is not taken is submitted
// - in the current session C of its user: not before R + the lateness of C's begin;
// - in a new session: not before R + the lateness of E's end, where E is the session that ended last before R; not
//   before the simulated end of a session whose recorded end is R or later; and not before a session that has to end;
// - without earlier sessions: at its recorded time.
#include <deque>
#include <map>
#include <vector>

#include "users/session_order.h"
#include "users/sessions.h"
#include "users/streamed_units.h"

namespace thinktime {
namespace {

class SessionStream : public StreamedUnits {
 public:
  explicit SessionStream(const Plan& plan)
      : StreamedUnits(plan),
        threshold_(plan.options.number("threshold_s", 3600)),
        delimiter_(delimiter_of(plan.options.text("delimiter", "arrival"))),
        reduced_(plan.options.flag("reduced", true)),
        every_job_(delimiter_ == Delimiter::arrival && threshold_ == 0) {}

 protected:
  void take(const Recorded& job) override {
    const auto [at, added] = names_.try_emplace(job.user, static_cast<std::uint32_t>(users_.size()));
    if (added) users_.emplace_back();
    User& user = users_[at->second];
    if (begins_session(user, job.submit)) begin_session(at->second, job.submit);
    Session& session = sessions_[user.current];
    add(user.current, session.number, job);
    session.last_submit = job.submit;
    session.end = job.end;
    session.recorded_end = std::max(session.recorded_end, job.end);
    ++session.unfinished;
  }

  // Sessions whose predecessors have ended, in order; the ends enter the window one by one.
  void free_units(UnitId unit) override {
    User& user = users_[sessions_[unit].user];
    for (;;) {
      for (; !user.waits.empty() && sessions_[user.waits.front()].stop <= user.order.done(); user.waits.pop_front())
        free(user, user.waits.front());
      const UnitId id = user.order.front();
      if (id == SessionOrder::kNone || sessions_[id].unfinished > 0) return;
      forget(user, id);
    }
  }

  void left(UnitId unit, Time now) override {
    Session& session = sessions_[unit];
    session.left = now;
    session.left_at = events_;
    if (--session.unfinished > 0) return;
    free_units(unit);
    begin_freed();
    bound(users_[session.user]);
  }

  void bound_all() override {
    for (const User& user : users_) bound(user);
  }

 private:
  struct Session {
    std::uint64_t number = 0;           // by first job
    Time last_submit = 0, end = 0;      // recorded; of the last job
    Time recorded_end = -kNever;        // of all jobs
    std::uint64_t first = 0, stop = 0;  // immediate predecessors in the order of recorded ends: first … stop - 1
    Time left = -kNever;                // when the last job ended
    std::uint64_t left_at = 0;          // that event
    std::uint32_t user = 0, unfinished = 0;
  };
  struct User {
    UnitId current = kNone;
    std::deque<UnitId> waits;  // sessions that are not known, in order
    SessionOrder order;
    Time done_s = -kNever;  // the latest end of those before order.done(), and that event
    std::uint64_t done_at = 0;
    std::deque<std::pair<std::uint64_t, Time>> window;  // (place in the order, lateness of the end), decreasing
  };

  static Delimiter delimiter_of(const std::string& name) {
    if (name == "arrival") return Delimiter::arrival;
    Plan::require(name == "last" || name == "max", "delimiter", "must be arrival, last or max");
    return name == "last" ? Delimiter::last : Delimiter::max;
  }

  bool begins_session(const User& user, Time submit) const {
    return user.current == kNone || every_job_ || submit - before(sessions_[user.current]) > threshold_;
  }
  Time before(const Session& session) const {
    if (delimiter_ == Delimiter::arrival) return session.last_submit;
    return delimiter_ == Delimiter::last ? session.end : session.recorded_end;
  }

  void begin_session(std::uint32_t u, Time submit) {
    User& user = users_[u];
    if (user.current != kNone) user.order.close(as_closed(user.current));
    user.order.append_until(submit);
    user.current = new_unit();
    if (user.current >= sessions_.size()) sessions_.resize(user.current + 1);
    Session& session = sessions_[user.current] = {};
    session.number = units_[user.current].order = sessions_begun_++;
    units_[user.current].recorded_begin = submit;
    session.user = u;
    session.stop = user.order.stop();
    session.first = reduced_ ? user.order.first() : 0;
    user.waits.push_back(user.current);
  }
  SessionOrder::Closed as_closed(UnitId id) const {
    return {sessions_[id].recorded_end, sessions_[id].number, id, sessions_[id].stop};
  }

  void forget(User& user, UnitId id) {
    const Session& session = sessions_[id];
    const Time lateness = session.left - session.recorded_end;
    while (!user.window.empty() && user.window.back().second <= lateness) user.window.pop_back();
    user.window.emplace_back(user.order.done(), lateness);
    if (session.left_at > user.done_at) user.done_at = session.left_at, user.done_s = session.left;
    user.order.pop(session.left);
    forget_unit(id);
  }

  void free(User& user, UnitId id) {
    const Session& session = sessions_[id];
    const Time recorded = units_[id].recorded_begin;
    if (session.stop == 0) return make_known(id, recorded, 0);
    while (user.window.front().first < session.first) user.window.pop_front();
    make_known(id, std::max(user.done_s, recorded + user.window.front().second), user.done_at);
  }

  void bound(const User& user) {
    if (all_known() || user.current == kNone) return;
    const Time from = first_not_taken();
    const bool may_grow = !every_job_ && from - before(sessions_[user.current]) <= threshold_;
    if (units_[user.current].known && may_grow) limit(from + units_[user.current].lateness());
    const auto left = [&](UnitId id) { return sessions_[id].unfinished == 0 ? sessions_[id].left : kNever; };
    limit(user.order.earliest_begin(from, as_closed(user.current), left));
  }

  Time threshold_;
  Delimiter delimiter_;
  bool reduced_;
  bool every_job_;  // is a session
  std::map<double, std::uint32_t> names_;
  std::vector<User> users_;
  std::vector<Session> sessions_;  // by unit
  std::uint64_t sessions_begun_ = 0;
};

const RegisterStreamedUsers session_stream{"session-replay",
                                           [](const Plan& plan) { return std::make_unique<SessionStream>(plan); }};

}  // namespace
}  // namespace thinktime
