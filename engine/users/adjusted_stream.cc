// Adjusted users of a log that is read in blocks: the same submissions as adjusted.cc.
//
// A batch becomes available when the previous batch of its user is completely submitted and the batches that it depends
// on have ended: inside a session the previous batch; for the first batch of a session the last batch of each session
// that had ended. A batch comes its think time after the last end if that was later, else its inter-arrival time after
// the last submission.
//
// The horizon. Let R be the first recorded instant that is not taken, and P the last batch of a user. A job that is not
// taken is submitted not before R + the lateness of P's begin, if P has begun, because P's submissions keep their
// distances and inter-arrival times are recorded; and, if it waited for ends, as in session_stream.cc.
#include <deque>
#include <map>
#include <vector>

#include "users/session_order.h"
#include "users/streamed_units.h"

namespace thinktime {
namespace {

class AdjustedStream : public StreamedUnits {
 public:
  explicit AdjustedStream(const Plan& plan)
      : StreamedUnits(plan), threshold_(plan.options.number("threshold_s", 3600)) {}

 protected:
  void take(const Recorded& job) override {
    const auto [at, added] = names_.try_emplace(job.user, static_cast<std::uint32_t>(users_.size()));
    if (added) users_.emplace_back().name = job.user;
    User& user = users_[at->second];
    const bool new_session = user.batch == kNone || threshold_ == 0 || job.submit - user.last_submit > threshold_;
    if (new_session || job.submit >= user.session_end) begin_batch(at->second, job.submit, new_session);
    Batch& batch = batches_[user.batch];
    add(user.batch, user.session, job);
    batch.last_submit = user.last_submit = job.submit;
    batch.recorded_end = std::max(batch.recorded_end, job.end);
    user.session_end = std::max(user.session_end, job.end);
    ++batch.unfinished;
    ++batch.unsubmitted;
  }

  void free_units(UnitId unit) override { look_at(users_[batches_[unit].user]); }

  void submitted(UnitId unit, Time now) override {
    Batch& batch = batches_[unit];
    batch.submitted = now;
    batch.submitted_at = events_;
    if (--batch.unsubmitted > 0) return;
    look_at(users_[batch.user]);
    begin_freed();
    bound(users_[batch.user]);
  }

  void left(UnitId unit, Time now) override {
    Batch& batch = batches_[unit];
    batch.left = now;
    batch.left_at = events_;
    if (--batch.unfinished > 0) return;
    User& user = users_[batch.user];
    look_at(user);
    begin_freed();
    bound(user);
    forget_if_unused(unit);
  }

  void bound_all() override {
    for (const User& user : users_) bound(user);
  }

 private:
  struct Batch {
    std::uint32_t user = 0;
    Time recorded_end = -kNever, last_submit = 0;
    std::uint32_t unsubmitted = 0, unfinished = 0;  // jobs
    Time submitted = -kNever, left = -kNever;       // the last submission and the last end, and these events
    std::uint64_t submitted_at = 0, left_at = 0;
    UnitId previous = kNone;
    std::uint32_t holders = 0;  // the user, the next batch, the order of sessions
    bool forgotten = false;
    bool first = false;      // in its session
    std::uint64_t stop = 0;  // sessions that the first batch depends on
    bool free = false;       // these have ended: the last end, and that event
    Time freed = -kNever;
    std::uint64_t freed_at = 0;
    Time think = 0, inter_arrival = 0;
  };
  struct User {
    double name = 0;
    UnitId batch = kNone;       // the last one
    std::uint64_t session = 0;  // the number of the last session
    Time session_end = -kNever, last_submit = 0;
    std::uint64_t stop = 0;     // sessions that the last session depends on
    std::deque<UnitId> waits;   // batches that are not known, in order
    std::deque<UnitId> firsts;  // first batches of sessions whose predecessors have not all ended
    SessionOrder order;         // sessions by their last batch
    Time done_s = -kNever;      // the latest end of those before order.done(), and that event
    std::uint64_t done_at = 0;
  };

  void begin_batch(std::uint32_t u, Time submit, bool new_session) {
    User& user = users_[u];
    const UnitId previous = user.batch;
    if (new_session) begin_session(user, submit);
    const UnitId id = new_unit();
    if (id >= batches_.size()) batches_.resize(id + 1);
    Batch& batch = batches_[id] = {};
    batch.user = u;
    batch.first = new_session;
    batch.stop = user.stop;
    batch.previous = previous;  // it takes over the hold of the user
    batch.holders = 1;
    units_[id].recorded_begin = submit;
    units_[id].order = previous == kNone ? ascending(user.name) : 0;
    if (previous != kNone) {
      batch.inter_arrival = submit - batches_[previous].last_submit;
      batch.think = submit - (new_session ? user.order.last_recorded_end() : batches_[previous].recorded_end);
    }
    user.batch = id;
    user.waits.push_back(id);
    if (new_session) user.firsts.push_back(id);
  }

  void begin_session(User& user, Time submit) {
    if (user.batch != kNone) {
      ++batches_[user.batch].holders;
      user.order.close(as_closed(user));
    }
    user.order.append_until(submit);
    user.session = sessions_begun_++;
    user.session_end = -kNever;
    user.stop = user.order.stop();
  }
  SessionOrder::Closed as_closed(const User& user) const {
    return {user.session_end, user.session, user.batch, user.stop};
  }

  void look_at(User& user) {
    follow_ends(user);
    while (!user.waits.empty() && is_available(user.waits.front())) {
      const UnitId id = user.waits.front();
      user.waits.pop_front();
      begin(id);
    }
  }

  // Marks the first batches of sessions whose predecessors have ended; one end after the other.
  void follow_ends(User& user) {
    for (;;) {
      for (; !user.firsts.empty() && batches_[user.firsts.front()].stop <= user.order.done(); user.firsts.pop_front()) {
        Batch& batch = batches_[user.firsts.front()];
        batch.free = true;
        if (batch.stop > 0) batch.freed = user.done_s, batch.freed_at = user.done_at;
      }
      const UnitId id = user.order.front();
      if (id == SessionOrder::kNone || batches_[id].unfinished > 0) return;
      if (batches_[id].left_at > user.done_at) user.done_at = batches_[id].left_at, user.done_s = batches_[id].left;
      user.order.pop(batches_[id].left);
      release(id);
    }
  }

  bool is_available(UnitId id) const {
    const Batch& batch = batches_[id];
    if (batch.previous == kNone) return true;
    const Batch& previous = batches_[batch.previous];
    return previous.unsubmitted == 0 && (batch.first ? batch.free : previous.unfinished == 0);
  }

  void begin(UnitId id) {
    Batch& batch = batches_[id];
    if (batch.previous == kNone) return make_known(id, units_[id].recorded_begin, 0);
    const Batch& previous = batches_[batch.previous];
    const Time freed = batch.first ? batch.freed : previous.left;
    const std::uint64_t freed_at = batch.first ? batch.freed_at : previous.left_at;
    const bool waited = freed >= previous.submitted;
    const Time now = std::max(freed, previous.submitted);
    make_known(id, now + (waited ? batch.think : batch.inter_arrival), std::max(freed_at, previous.submitted_at));
    release(std::exchange(batch.previous, kNone));
  }

  void release(UnitId id) {
    --batches_[id].holders;
    forget_if_unused(id);
  }
  void forget_if_unused(UnitId id) {
    Batch& batch = batches_[id];
    if (batch.forgotten || batch.holders > 0 || batch.unfinished > 0) return;
    batch.forgotten = true;
    forget_unit(id);
  }

  void bound(const User& user) {
    if (all_known() || user.batch == kNone) return;
    const Time from = first_not_taken();
    if (units_[user.batch].known) limit(from + units_[user.batch].lateness());
    const auto left = [&](UnitId id) { return batches_[id].unfinished == 0 ? batches_[id].left : kNever; };
    limit(user.order.earliest_begin(from, as_closed(user), left));
  }

  Time threshold_;
  std::map<double, std::uint32_t> names_;
  std::vector<User> users_;
  std::vector<Batch> batches_;  // by unit
  std::uint64_t sessions_begun_ = 0;
};

const RegisterStreamedUsers adjusted_stream{"adjusted",
                                            [](const Plan& plan) { return std::make_unique<AdjustedStream>(plan); }};

}  // namespace
}  // namespace thinktime
