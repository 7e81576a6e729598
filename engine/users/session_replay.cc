// Replay with feedback: a session begins after the sessions it depends on have ended and the think time has passed.
// Madon, Da Costa and Pierson 2024.
//
// begin(S) = max over immediate predecessors P of (simulated end of P + think time from P to S). The think time is the
// recorded gap, so S is as late as its latest predecessor: begin(S) = recorded begin of S + max over P of (simulated -
// recorded end of P). A session without predecessors begins at its recorded time. Inside a
// session jobs keep their recorded distances, so only the next job of each session is in the heap. A session ends with
// its last job; a rejected job ends at once.
//
// There may be far more edges than sessions, but edges are not stored. In the order of recorded ends, S depends on a
// prefix of its user's sessions, and its immediate predecessors are the last part of that prefix. So S may begin when
// all sessions before a given place have ended, and each maximum is over a window that only moves forward.
//
// Two options. With `activity` = "fluid", a session that may begin while its user is away begins with the user's next
// period of activity. With `think_times` = "response", think times are scaled by the change of the response time of the
// preceding session: g = ((response + 1) / (recorded response + 1))^(exponent of the user), and begin(S) is the maximum
// over P of (simulated end of P + g think time).
#include <algorithm>
#include <cmath>

#include "users/activity.h"
#include "users/reacting.h"

namespace thinktime {
namespace {

class SessionReplay : public Reacting {
 public:
  explicit SessionReplay(const Plan& plan) {
    take_sessions(plan);
    take_users(plan);
    const std::vector<Place> roots = take_jobs(plan);
    if ((fluid_ = plan.options.text("activity", "always") == "fluid")) activity_ = Activity(plan, users_.size());
    if ((stretched_ = plan.options.text("think_times", "recorded") == "response")) {
      exponents_ = copied(plan.times("exponent", users_.size()));
      stretches_.resize(sessions_.size());
    }
    for (const Place p : roots) begin(p);
  }

  JobId submit() override {
    const Member& job = jobs_[front()];
    const JobId taken = job.next == kNoJob ? take() : take_and_plan_the_next(job);
    if (upcoming_ != kNoJob) __builtin_prefetch(&jobs_[upcoming_]);
    return taken;
  }

  void ended(const JobTable&, JobId job, Time now) override {
    Session& session = sessions_[jobs_[job].session];
    if (--session.unfinished > 0) return;
    User& user = users_[session.user];
    lateness_[session.end_place] = now - session.recorded_end;
    if (stretched_) stretches_[session.end_place] = stretch(session, now);
    while (user.done < user.past && has_ended(user.done)) ++user.done;
    for (; user.next < user.past && sessions_[user.next].stop <= user.done; ++user.next) free(user, user.next, now);
  }

 private:
  using Place = std::uint32_t;  // index of a session, by (user, begin) or by (user, end)

  // One cache line, because sessions are accessed in no particular order.
  struct alignas(64) Session {
    Time begin;  // recorded, then simulated
    Time recorded_begin;
    Time recorded_end;
    Place first, stop;  // immediate predecessors, by end: first … stop - 1
    Place end_place;    // its place by end
    std::uint32_t user;
    std::uint32_t unfinished = 0;  // jobs that have not ended
    JobId first_job = kNoJob;
    JobId last_job = kNoJob;
    Unit ties = {};
  };
  struct Stretch {
    Time end = 0;  // simulated
    Time recorded_end = 0;
    double factor = 1;  // factor g of the think times after it
  };
  struct User {
    Place next;        // the first session by begin that still waits; roots do not wait
    Place done;        // by end: all sessions before this place have ended
    Place past;        // one past the last, by begin and by end
    Place seen;        // by end: all sessions before this place have entered the window
    Place head, tail;  // the window is latest_[head … tail - 1]
  };
  struct Member {
    Place session;
    JobId next = kNoJob;   // in the session
    Time next_offset = 0;  // submission of the next job, relative to the session's first
  };

  void take_sessions(const Plan& plan) {
    const auto begin = plan.times("begin_s");
    const auto end = plan.times("end_s", begin.size());
    const auto first = plan.indices("predecessors_begin", begin.size());
    const auto stop = plan.indices("predecessors_stop", begin.size());
    const auto by_end = plan.pointing("by_end", begin.size(), begin.size());
    sessions_.reserve(begin.size());
    for (std::size_t p = 0; p < begin.size(); ++p)
      sessions_.push_back(
          {begin[p], begin[p], end[p], static_cast<Place>(first[p]), static_cast<Place>(stop[p]), 0, 0});
    for (Place k = 0; k < by_end.size(); ++k) sessions_[static_cast<std::size_t>(by_end[k])].end_place = k;
    lateness_.assign(begin.size(), kNotYet);
    latest_.resize(begin.size());
  }

  void take_users(const Plan& plan) {
    const auto starts = plan.starts("user_start", plan.indices("user_start").size() - 1, sessions_.size());
    for (std::size_t u = 0; u + 1 < starts.size(); ++u) {
      const auto from = static_cast<Place>(starts[u]), past = static_cast<Place>(starts[u + 1]);
      Place next = from;
      for (Place p = from; p < past; ++p) sessions_[p].user = static_cast<std::uint32_t>(u);
      while (next < past && sessions_[next].stop == from) ++next;  // roots
      users_.push_back({next, from, past, from, from, from});
      for (Place p = from; p < past; ++p)
        Plan::require(
            from <= sessions_[p].first && sessions_[p].first <= sessions_[p].stop && sessions_[p].stop <= past,
            "predecessors_stop", "points outside its user");
    }
  }

  // Jobs are in (submit, row) order, so each job of a session follows the previous one. Returns the sessions without
  // predecessors, by first job.
  std::vector<Place> take_jobs(const Plan& plan) {
    const auto recorded = plan.times("recorded_s");
    const auto place = plan.pointing("place", recorded.size(), sessions_.size());
    std::vector<Place> roots;
    jobs_.reserve(recorded.size());
    for (JobId job = 0; job < recorded.size(); ++job) {
      if (job + kAhead < place.size()) __builtin_prefetch(&sessions_[static_cast<Place>(place[job + kAhead])]);
      jobs_.push_back({static_cast<Place>(place[job])});
      Session& session = sessions_[jobs_.back().session];
      if (session.unfinished++ > 0) {
        jobs_[session.last_job].next = job;
        jobs_[session.last_job].next_offset = recorded[job] - session.begin;
      } else {
        session.first_job = job;
        if (jobs_[job].session < users_[session.user].next) roots.push_back(jobs_[job].session);
      }
      session.last_job = job;
    }
    for (const Session& session : sessions_)
      Plan::require(session.unfinished > 0, "place", "has a session without jobs");
    const std::vector<bool> shares = take_ties(plan, place, sessions_.size());
    for (std::size_t p = 0; p < sessions_.size(); ++p) sessions_[p].ties.shares = shares[p];
    return roots;
  }

  JobId take_and_plan_the_next(const Member& job) {
    __builtin_prefetch(&jobs_[job.next]);
    Session& session = sessions_[job.session];
    return take_and_plan(session.begin + job.next_offset, place_of(session.ties, job.next), job.next);
  }

  bool has_ended(Place k) const { return !std::isnan(lateness_[k]); }

  // Plans a session whose last predecessor has just ended.
  void free(User& user, Place p, Time now) {
    Session& session = sessions_[p];
    const Time due = stretched_ ? after_stretched_thought(session) : session.begin + lateness(user, session);
    session.begin = std::max(now, due);  // rounding must not put it before now
    if (fluid_) session.begin = activity_.at(session.user, session.begin).next;
    begin(p);
  }

  Stretch stretch(const Session& session, Time now) const {
    const Time response = now - session.begin, recorded = session.recorded_end - session.recorded_begin;
    const double factor =
        response == recorded ? 1 : std::pow((response + 1) / (recorded + 1), exponents_[session.user]);
    return {now, session.recorded_end, factor};
  }

  Time after_stretched_thought(const Session& session) const {
    Time latest = -kNever;
    for (Place k = session.first; k < session.stop; ++k) {
      const Stretch& before = stretches_[k];
      const Time think = session.begin - before.recorded_end;
      latest = std::max(latest, before.factor == 1 ? session.begin + lateness_[k] : before.end + before.factor * think);
    }
    return latest;
  }

  // The largest lateness in the window of a session. The window keeps only sessions that are later than all after them,
  // so the first is the largest.
  Time lateness(User& user, const Session& session) {
    for (; user.seen < session.stop; ++user.seen) {
      while (user.tail > user.head && lateness_[latest_[user.tail - 1]] <= lateness_[user.seen]) --user.tail;
      latest_[user.tail++] = user.seen;
    }
    while (latest_[user.head] < session.first) ++user.head;
    return lateness_[latest_[user.head]];
  }

  void begin(Place p) {
    Session& session = sessions_[p];
    make_known(session.ties, session.unfinished);
    if (session.ties.shares) make_each_known(session);
    plan(session.begin, place_of(session.ties, session.first_job), session.first_job);
  }

  void make_each_known(Session& session) {
    Time submit = session.begin;
    for (JobId job = session.first_job; job != kNoJob; job = jobs_[job].next) {
      make_known(session.ties, submit, job);
      submit = session.begin + jobs_[job].next_offset;
    }
  }

  static constexpr JobId kAhead = 16;  // number of jobs by which sessions are prefetched
  static constexpr Time kNotYet = std::numeric_limits<Time>::quiet_NaN();

  bool fluid_ = false, stretched_ = false;
  Activity activity_;
  std::vector<double> exponents_;   // by user: exponent of the response time in g
  std::vector<Session> sessions_;   // by (user, begin)
  std::vector<Time> lateness_;      // by (user, recorded end): simulated - recorded end; kNotYet before it
  std::vector<Stretch> stretches_;  // by (user, recorded end), if think times are scaled
  std::vector<Place> latest_;       // the windows of all users, each in its own range
  std::vector<User> users_;
  std::vector<Member> jobs_;  // by row
};

const RegisterUsers session_replay{"session-replay",
                                   [](const Plan& plan) { return std::make_unique<SessionReplay>(plan); }};

}  // namespace
}  // namespace thinktime
