// The sessions of one user in a stream, in the order of their recorded ends.
//
// A session depends on those that had ended when it began: a prefix of this order, which is known at that time. The
// order only grows, so a session is forgotten when it and all before it have ended in the simulation.
#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <tuple>
#include <vector>

#include "core/types.h"

namespace thinktime {

class SessionOrder {
 public:
  using SessionId = std::uint32_t;
  static constexpr SessionId kNone = ~SessionId{0};

  struct Closed {  // a session without further jobs
    Time recorded_end;
    std::uint64_t number;  // by first job
    SessionId id;
    std::uint64_t stop;  // the number of sessions that it depends on
    bool operator>(const Closed& other) const {
      return std::tie(recorded_end, number) > std::tie(other.recorded_end, other.number);
    }
  };

  void close(const Closed& session) {
    ending_.push_back(session);
    std::push_heap(ending_.begin(), ending_.end(), std::greater<>());
  }

  // Appends the sessions that had ended when the next one begins.
  void append_until(Time begin) {
    for (; !ending_.empty() && ending_.front().recorded_end <= begin; ending_.pop_back()) {
      const Closed session = ending_.front();
      std::pop_heap(ending_.begin(), ending_.end(), std::greater<>());
      by_end_.push_back(session.id);
      ++appended_;
      last_ = session;
      if (session.number + 1 > latest_) latest_ = session.number + 1, latest_stop_ = session.stop;
    }
  }

  // What a session that begins now depends on: sessions first() … stop() - 1; in the full graph, all before stop().
  std::uint64_t stop() const { return appended_; }
  std::uint64_t first() const { return latest_ > 0 ? latest_stop_ : 0; }
  Time last_recorded_end() const { return last_.recorded_end; }  // of these

  // The first session in the order that has not ended, or kNone; pop() when it has.
  SessionId front() const { return by_end_.empty() ? kNone : by_end_.front(); }
  std::uint64_t done() const { return done_; }
  void pop(Time left) {
    if (last_.id == by_end_.front()) last_.id = kNone, last_left_ = left;
    by_end_.pop_front();
    ++done_;
  }

  // A lower bound of the begin of a session that is first recorded at `from` or later; kNever if some session must end
  // before it. `current` is the last session. left(id) is when a session ended in the simulation, kNever if it has not.
  template <class Left>
  Time earliest_begin(Time from, const Closed& current, Left left) const {
    Time bound = kNever, end = last_.recorded_end;
    Time end_left = last_.id == kNone ? last_left_ : left(last_.id);
    const auto look_at = [&](const Closed& session) {
      if (session.recorded_end >= from) {
        bound = std::min(bound, left(session.id));
      } else if (session.recorded_end >= end) {
        end = session.recorded_end;
        end_left = left(session.id);
      }
    };
    for (const Closed& session : ending_) look_at(session);
    if (current.id != kNone) look_at(current);
    return end > -kNever && end_left < kNever ? std::min(bound, from + (end_left - end)) : bound;
  }

 private:
  std::vector<Closed> ending_;  // a heap: recorded ends after the begin of the current session
  std::deque<SessionId> by_end_;
  std::uint64_t done_ = 0, appended_ = 0;
  std::uint64_t latest_ = 0, latest_stop_ = 0;  // of those appended, the last by number: that plus 1, and its stop
  Closed last_{-kNever, 0, kNone, 0};           // of those appended, the last
  Time last_left_ = kNever;                     // its end in the simulation, if it is forgotten
};

}  // namespace thinktime
