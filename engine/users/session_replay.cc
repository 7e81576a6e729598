// Replay with feedback: a session begins when its user has seen the ends of the sessions before it, and thought.
// Madon, Da Costa and Pierson 2024.
//
// begin(S) = max over immediate predecessors P of (simulated end of P + think time from P to S); a session without
// predecessors begins at its recorded time. Inside a session jobs keep their recorded distances, so only the next
// job of each session is in the heap. A session ends with its last job; a rejected job has ended at once.
#include <algorithm>

#include "users/reacting.h"

namespace thinktime {
namespace {

class SessionReplay : public Reacting {
 public:
  explicit SessionReplay(const Plan& plan) : in_log_order_(plan.options.text("ties", "planned") == "original") {
    take_graph(plan);
    take_jobs(plan);
    for (std::size_t s = 0; s < sessions_.size(); ++s)
      if (sessions_[s].waits_for == 0) begin(s);
  }

  JobId submit() override {
    const JobId job = take();
    if (jobs_[job].next != kNobody) plan_job(sessions_[jobs_[job].session], jobs_[job].next);
    return job;
  }

  void ended(const JobTable&, JobId job, Time now) override {
    const std::uint32_t s = jobs_[job].session;
    if (--sessions_[s].unfinished > 0) return;
    for (std::size_t e = sessions_[s].edges; e < sessions_[s + 1].edges; ++e) {
      Session& later = sessions_[edges_[e].successor];
      later.begin = std::max(later.begin, now + edges_[e].think);
      if (--later.waits_for == 0) begin(edges_[e].successor);
    }
  }

 private:
  struct Session {
    Time begin = -kNever;          // of what is known so far: the latest end of a predecessor + think time
    std::uint32_t unfinished = 0;  // jobs that have not ended
    std::uint32_t waits_for = 0;   // predecessors that have not ended
    JobId first = kNobody;
    std::uint32_t rank = 0;        // of its next job, if ties go by the order in which submissions became known
    std::size_t edges = 0;         // to its successors: up to those of the next session
  };
  struct Member {
    Time offset;                   // after the session's first job
    std::uint32_t session;
    JobId next = kNobody;          // in the session
  };
  struct Edge {
    Time think;
    std::uint32_t successor;
  };

  void take_graph(const Plan& plan) {
    const auto& begin = plan.times("begin_s");
    const auto& successor = plan.pointing("successor", plan.indices("successor").size(), begin.size());
    const auto& think = plan.times("think_s", successor.size());
    const auto& start = plan.starts("successors_start", begin.size(), successor.size());
    sessions_.resize(begin.size() + 1);  // one more, for the end of the last one's edges
    for (std::size_t s = 0; s <= begin.size(); ++s) sessions_[s].edges = static_cast<std::size_t>(start[s]);
    edges_.resize(successor.size());
    for (std::size_t e = 0; e < successor.size(); ++e) {
      edges_[e] = {think[e], static_cast<std::uint32_t>(successor[e])};
      ++sessions_[edges_[e].successor].waits_for;
    }
    for (std::size_t s = 0; s < begin.size(); ++s)
      if (sessions_[s].waits_for == 0) sessions_[s].begin = begin[s];
  }

  // Jobs are in (submit, row): whoever comes last in a session is the next of the one before.
  void take_jobs(const Plan& plan) {
    const std::size_t sessions = sessions_.size() - 1;
    const auto& offset = plan.times("offset_s");
    const auto& session = plan.pointing("session", offset.size(), sessions);
    std::vector<JobId> last(sessions, kNobody);
    jobs_.reserve(offset.size());
    for (JobId job = 0; job < offset.size(); ++job) {
      const auto s = static_cast<std::uint32_t>(session[job]);
      jobs_.push_back({offset[job], s});
      (last[s] == kNobody ? sessions_[s].first : jobs_[last[s]].next) = job;
      last[s] = job;
      ++sessions_[s].unfinished;
    }
    for (const JobId job : last) Plan::require(job != kNobody, "session", "has one without jobs");
    sessions_.back().waits_for = 1;  // the one more never begins
  }

  void begin(std::size_t s) {
    sessions_[s].rank = known_;
    known_ += sessions_[s].unfinished;
    plan_job(sessions_[s], sessions_[s].first);
  }

  void plan_job(Session& session, JobId job) {
    plan(session.begin + jobs_[job].offset, in_log_order_ ? job : session.rank++, job);
  }

  bool in_log_order_;
  std::vector<Session> sessions_;
  std::vector<Edge> edges_;
  std::vector<Member> jobs_;  // by row
  std::uint32_t known_ = 0;   // submissions that have become known so far
};

const RegisterUsers session_replay{
    "session-replay", [](const Plan& plan) { return std::make_unique<SessionReplay>(plan); }};

}  // namespace
}  // namespace thinktime
