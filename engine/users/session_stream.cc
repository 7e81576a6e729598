// Replay with feedback of a log that is read in blocks: the same submissions as session_replay.cc.
//
// A user's sessions are cut as jobs are read; only the last one may still get jobs. A session depends on a prefix of
// its user's sessions in the order of recorded ends. That order is known when the session begins, and it only grows, so
// a session is forgotten when all sessions before it in that order have ended.
//
// Jobs of one recorded instant are taken together, when a later instant is read. Submissions of one simulated instant
// are ordered by Place: the end that made their session known, the session, the job. So the order does not depend on
// when a job was read.
//
// The horizon. Let R be the first recorded instant that is not taken. A job that is not taken is submitted
// - in the current session C of its user: not before R + the lateness of C's begin;
// - in a new session: not before R + lateness of E's end, where E is the session that ended last before R; not before
//   the simulated end of a session whose recorded end is R or later; and not before a session that has not ended;
// - without earlier sessions: at its recorded time.
#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "users/sessions.h"
#include "users/streamed.h"

namespace thinktime {
namespace {

class SessionStream : public StreamedUsers {
 public:
  explicit SessionStream(const Plan& plan)
      : threshold_(plan.options.number("threshold_s", 3600)),
        delimiter_(delimiter_of(plan.options.text("delimiter", "arrival"))),
        reduced_(plan.options.flag("reduced", true)),
        by_log_(plan.options.text("ties", "planned") == "original"),
        every_job_(delimiter_ == Delimiter::arrival && threshold_ == 0) {
    horizon_ = -kNever;
  }

  void read(const Recorded& job) override {
    if (!edge_.empty() && job.submit > edge_.front().submit) take_instant();
    edge_.push_back(job);
    ++waiting_;
  }

  void settle() override {
    if (edge_.empty()) return;
    horizon_ = edge_.front().submit;
    for (const User& user : users_) bound(user);
  }

  void close() override {
    if (!edge_.empty()) take_instant();
    closed_ = true;
    horizon_ = kNever;
  }

  JobId submit() override {
    const Planned top = queue_.top();
    queue_.pop();
    --waiting_;
    const Member& member = members_[top.job];
    Session& session = sessions_[member.session];
    session.next = member.next;
    session.planned = false;
    if (member.group) leave_group(member.group);
    if (session.next != kNoJob) plan_next(session);
    look();
    return top.job;
  }

  void ended(const JobTable&, JobId job, Time now) override {
    ++leaves_;
    Session& session = sessions_[members_[job].session];
    session.left = now;
    session.left_at = leaves_;
    User& user = users_[session.user];
    if (--session.unfinished > 0) return;
    free_all(user);
    begin_freed();
    bound(user);
    look();
  }

  std::uint64_t session(JobId job) const override { return members_[job].number; }

 private:
  using SessionId = std::uint32_t;
  static constexpr SessionId kNone = ~SessionId{0};
  static constexpr Time kRounding = 1e-3;  // reading a little further is harmless

  struct Place {
    std::uint64_t leave = 0;  // the end that made the session known; 0: none
    std::uint64_t session = 0;
    std::uint32_t job = 0;  // in the session
    auto operator<=>(const Place&) const = default;
  };
  struct Planned {
    Time submit;
    Place place;
    std::uint32_t row;
    JobId job;
    bool operator>(const Planned& other) const {
      return std::tie(submit, place, row) > std::tie(other.submit, other.place, other.row);
    }
  };
  struct Session {
    std::uint64_t number = 0;       // by first job
    Time recorded_begin = 0, begin = 0;
    Time last_submit = 0, end = 0;  // recorded; of the last job
    Time recorded_end = -kNever;    // of all jobs
    std::uint64_t first = 0, stop = 0;  // immediate predecessors in the order of recorded ends: first … stop - 1
    std::uint64_t known_at = 0;         // the end that made it known
    Time left = -kNever;                // when the last job ended
    std::uint64_t left_at = 0;          // the number of that end
    std::uint32_t user = 0;
    std::uint32_t jobs = 0, unfinished = 0;
    JobId next = kNoJob, last = kNoJob;  // first job that is not submitted; last job
    bool known = false, planned = false, closed = false;
  };
  struct Member {
    SessionId session = kNone;
    std::uint64_t number = 0;  // of its session
    JobId next = kNoJob;
    Time offset = 0;
    std::uint32_t row = 0, place = 0;
    std::uint64_t group = 0;  // jobs of one recorded instant in several sessions; 0: none
  };
  struct End {  // of a closed session, as recorded
    Time time;
    std::uint64_t number;
    SessionId session;
    bool operator>(const End& other) const {
      return std::tie(time, number) > std::tie(other.time, other.number);
    }
  };
  struct User {
    SessionId current = kNone;
    std::deque<SessionId> waits;   // sessions that are not known, in order
    std::vector<End> ending;       // a heap: recorded ends after the begin of the current session
    std::deque<SessionId> by_end;  // in the order of recorded ends; those before `done` have ended and are forgotten
    std::uint64_t done = 0, appended = 0;
    Time done_s = -kNever;  // the latest simulated end of these, and its number
    std::uint64_t done_at = 0;
    std::uint64_t latest = 0, latest_stop = 0;  // the last session, by number plus 1, of those appended; its `stop`
    std::deque<std::pair<std::uint64_t, Time>> window;  // lateness of ends, decreasing
    // of those appended, the last: recorded end; simulated end, if it is forgotten
    SessionId last = kNone;
    Time last_recorded = -kNever, last_left = kNever;
  };
  struct Group {
    std::size_t left = 0;  // jobs that are not submitted
    std::vector<std::pair<Time, Place>> first_known;  // by simulated submission
  };

  static Delimiter delimiter_of(const std::string& name) {
    if (name == "arrival") return Delimiter::arrival;
    Plan::require(name == "last" || name == "max", "delimiter", "must be arrival, last or max");
    return name == "last" ? Delimiter::last : Delimiter::max;
  }

  // --- reading

  // All jobs of the instant become members of sessions before any of them is planned.
  void take_instant() {
    const std::vector<Recorded> jobs = std::exchange(edge_, {});
    for (const Recorded& job : jobs) take(job);
    form_group(jobs);
    for (const Recorded& job : jobs) free_all(users_[sessions_[members_[job.job].session].user]);
    for (const Recorded& job : jobs)
      if (sessions_[members_[job.job].session].known) join_group(job.job);
    freed_.clear();  // their jobs are all of this instant
    for (const Recorded& job : jobs) {
      Session& session = sessions_[members_[job.job].session];
      if (session.known && !session.planned && session.next != kNoJob) plan_next(session);
    }
    look();
  }

  void take(const Recorded& job) {
    const std::uint32_t u = user_of(job.user);
    if (begins_session(users_[u], job)) begin_session(u, job);
    const SessionId id = users_[u].current;
    Session& session = sessions_[id];
    if (job.job >= members_.size()) members_.resize(job.job + 1);
    members_[job.job] = {id, session.number, kNoJob, job.submit - session.recorded_begin, job.row, session.jobs++, 0};
    if (session.last != kNoJob && session.next != kNoJob) members_[session.last].next = job.job;
    if (session.next == kNoJob) session.next = job.job;
    session.last = job.job;
    session.last_submit = job.submit;
    session.end = job.end;
    session.recorded_end = std::max(session.recorded_end, job.end);
    ++session.unfinished;
  }

  std::uint32_t user_of(double name) {
    const auto [at, added] = names_.try_emplace(name, static_cast<std::uint32_t>(users_.size()));
    if (added) users_.emplace_back();
    return at->second;
  }

  bool begins_session(const User& user, const Recorded& job) const {
    return user.current == kNone || every_job_ || job.submit - before(sessions_[user.current]) > threshold_;
  }
  Time before(const Session& session) const {
    if (delimiter_ == Delimiter::arrival) return session.last_submit;
    return delimiter_ == Delimiter::last ? session.end : session.recorded_end;
  }

  void begin_session(std::uint32_t u, const Recorded& job) {
    User& user = users_[u];
    if (user.current != kNone) close_current(user);
    append_ends(user, job.submit);
    const SessionId id = new_session();
    Session& session = sessions_[id];
    session.number = sessions_begun_++;
    session.recorded_begin = job.submit;
    session.user = u;
    session.stop = user.appended;
    session.first = reduced_ && user.latest > 0 ? user.latest_stop : 0;
    user.current = id;
    user.waits.push_back(id);
  }

  void close_current(User& user) {
    Session& session = sessions_[user.current];
    session.closed = true;
    user.ending.push_back({session.recorded_end, session.number, user.current});
    std::push_heap(user.ending.begin(), user.ending.end(), std::greater<>());
  }

  // Sessions that had ended when the next one begins.
  void append_ends(User& user, Time begin) {
    while (!user.ending.empty() && user.ending.front().time <= begin) {
      const SessionId id = user.ending.front().session;
      std::pop_heap(user.ending.begin(), user.ending.end(), std::greater<>());
      user.ending.pop_back();
      user.by_end.push_back(id);
      ++user.appended;
      user.last = id;
      user.last_recorded = sessions_[id].recorded_end;
      if (sessions_[id].number + 1 > user.latest) {
        user.latest = sessions_[id].number + 1;
        user.latest_stop = sessions_[id].stop;
      }
    }
  }

  SessionId new_session() {
    if (unused_.empty()) {
      sessions_.emplace_back();
      return static_cast<SessionId>(sessions_.size() - 1);
    }
    const SessionId id = unused_.back();
    unused_.pop_back();
    sessions_[id] = {};
    return id;
  }

  // --- sessions become known

  // Frees sessions whose predecessors have ended, in order; the ends enter the window one by one.
  void free_all(User& user) {
    for (;;) {
      for (; !user.waits.empty() && sessions_[user.waits.front()].stop <= user.done; user.waits.pop_front())
        free(user, user.waits.front());
      if (user.by_end.empty()) return;
      const SessionId id = user.by_end.front();
      if (!sessions_[id].closed || sessions_[id].unfinished > 0) return;
      user.by_end.pop_front();
      forget(user, id);
    }
  }

  void forget(User& user, SessionId id) {
    const Session& session = sessions_[id];
    const Time lateness = session.left - session.recorded_end;
    while (!user.window.empty() && user.window.back().second <= lateness) user.window.pop_back();
    user.window.emplace_back(user.done++, lateness);
    if (session.left_at > user.done_at) user.done_at = session.left_at, user.done_s = session.left;
    if (user.last == id) user.last = kNone, user.last_left = session.left;
    unused_.push_back(id);
  }

  void free(User& user, SessionId id) {
    Session& session = sessions_[id];
    session.known = true;
    session.begin = session.recorded_begin;
    if (session.stop > 0) {
      while (user.window.front().first < session.first) user.window.pop_front();
      session.known_at = user.done_at;
      session.begin = std::max(user.done_s, session.recorded_begin + user.window.front().second);
    }
    freed_.push_back(id);
  }

  // Sessions that became known because a job ended.
  void begin_freed() {
    for (const SessionId id : freed_)
      for (JobId job = sessions_[id].next; job != kNoJob; job = members_[job].next) join_group(job);
    for (const SessionId id : freed_) plan_next(sessions_[id]);
    freed_.clear();
  }

  void plan_next(Session& session) {
    const Member& member = members_[session.next];
    const Time submit = session.begin + member.offset;
    queue_.push({submit, place_of(session, member, submit), member.row, session.next});
    session.planned = true;
  }

  // --- jobs of one recorded instant keep the log's order at the place of the first that became known

  void form_group(const std::vector<Recorded>& jobs) {
    const auto other = [&](const Recorded& job) {
      return members_[job.job].session != members_[jobs.front().job].session;
    };
    if (by_log_ || std::none_of(jobs.begin(), jobs.end(), other)) return;
    groups_[++groups_formed_].left = jobs.size();
    for (const Recorded& job : jobs) members_[job.job].group = groups_formed_;
  }

  void join_group(JobId job) {
    const Member& member = members_[job];
    if (member.group == 0) return;
    const Session& session = sessions_[member.session];
    const Time submit = session.begin + member.offset;
    const Place mine{session.known_at, session.number, member.place};
    for (auto& [time, place] : groups_[member.group].first_known)
      if (time == submit) {
        place = std::min(place, mine);
        return;
      }
    groups_[member.group].first_known.emplace_back(submit, mine);
  }

  void leave_group(std::uint64_t group) {
    const auto at = groups_.find(group);
    if (--at->second.left == 0) groups_.erase(at);
  }

  Place place_of(const Session& session, const Member& member, Time submit) const {
    if (by_log_) return {};
    if (member.group)
      for (const auto& [time, place] : groups_.at(member.group).first_known)
        if (time == submit) return place;
    return {session.known_at, session.number, member.place};
  }

  // --- the horizon

  void bound(const User& user) {
    if (closed_ || edge_.empty()) return;
    const Time now_read = edge_.front().submit;
    const auto limit = [&](Time time) { horizon_ = std::min(horizon_, time - kRounding); };
    Time latest = user.last_recorded, left = user.last == kNone ? user.last_left : left_of(sessions_[user.last]);
    const auto look_at = [&](const Session& session) {
      if (session.recorded_end >= now_read) {
        if (session.unfinished == 0) limit(session.left);
      } else if (session.recorded_end >= latest) {
        latest = session.recorded_end;
        left = left_of(session);
      }
    };
    for (const End& end : user.ending) look_at(sessions_[end.session]);
    if (user.current != kNone) {
      const Session& session = sessions_[user.current];
      look_at(session);
      const bool may_grow = !every_job_ && now_read - before(session) <= threshold_;
      if (session.known && may_grow) limit(now_read + (session.begin - session.recorded_begin));
    }
    if (latest > -kNever && left < kNever) limit(now_read + (left - latest));
  }
  static Time left_of(const Session& session) { return session.unfinished == 0 ? session.left : kNever; }

  void look() {
    next_ = queue_.empty() ? kNever : queue_.top().submit;
    upcoming_ = queue_.empty() ? kNoJob : queue_.top().job;
  }

  Time threshold_;
  Delimiter delimiter_;
  bool reduced_, by_log_;
  bool every_job_;  // is a session
  bool closed_ = false;
  std::vector<Recorded> edge_;  // jobs of the last recorded instant that was read
  std::map<double, std::uint32_t> names_;
  std::vector<User> users_;
  std::vector<Session> sessions_;
  std::vector<SessionId> unused_, freed_;
  std::vector<Member> members_;  // by slot
  std::map<std::uint64_t, Group> groups_;
  std::uint64_t sessions_begun_ = 0, leaves_ = 0, groups_formed_ = 0;
  std::priority_queue<Planned, std::vector<Planned>, std::greater<>> queue_;
};

const RegisterStreamedUsers session_stream{"session-replay",
                                           [](const Plan& plan) { return std::make_unique<SessionStream>(plan); }};

}  // namespace
}  // namespace thinktime
