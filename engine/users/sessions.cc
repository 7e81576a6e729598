#include "users/sessions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/stable_order.h"

namespace thinktime {
namespace {

// A session during the search, in the order of places.
struct Found {
  Time first_submit, last_submit, last_end;
  std::uint32_t first_row;
  std::uint32_t user;  // index
  std::uint32_t jobs;
};

// Rows by (submit, row); nearly always sorted already.
std::vector<std::uint32_t> in_time(std::span<const double> submit) {
  std::vector<std::uint32_t> rows(submit.size());
  std::iota(rows.begin(), rows.end(), 0);
  if (std::is_sorted(submit.begin(), submit.end())) return rows;
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return submit[a] < submit[b]; });
  return rows;
}

// Rows by (user, submit, row), with the user as the key.
std::vector<Keyed> by_user(std::span<const double> user, const std::vector<std::uint32_t>& in_time) {
  std::vector<Keyed> rows;
  rows.reserve(in_time.size());
  for (const std::uint32_t row : in_time)
    rows.push_back({ascending(std::isnan(user[row]) ? kUnknownUser : user[row]), row});
  sort_stably(rows);
  return rows;
}

class Cutter {
 public:
  Cutter(const RecordedJobs& jobs, Delimiter delimiter, Time threshold)
      : jobs_(jobs),
        delimiter_(delimiter),
        threshold_(threshold),
        every_job_(delimiter == Delimiter::arrival && threshold == 0),
        in_time_(in_time(jobs.submit)) {}

  Sessions sessions() {
    cut(by_user(jobs_.user, in_time_));
    number();
    describe();
    return std::move(out_);
  }

 private:
  void cut(const std::vector<Keyed>& jobs) {
    out_.place.resize(jobs.size());
    out_.rows.reserve(jobs.size());
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      const bool first = k == 0 || jobs[k].key != jobs[k - 1].key;
      if (first) begin_user(from_ascending(jobs[k].key));
      take(jobs[k].row, first);
    }
    out_.user_start.push_back(static_cast<std::int64_t>(found_.size()));
  }

  void begin_user(double user) {
    out_.users.push_back(user);
    out_.user_start.push_back(static_cast<std::int64_t>(found_.size()));
  }

  void take(std::uint32_t row, bool first) {
    const Time submit = jobs_.submit[row], end = jobs_.end[row];
    if (first || every_job_ || submit - before() > threshold_)
      found_.push_back({submit, submit, end, row, static_cast<std::uint32_t>(out_.users.size() - 1), 0});
    Found& session = found_.back();
    session.last_submit = submit;
    session.last_end = std::max(session.last_end, end);
    ++session.jobs;
    end_ = end;
    out_.rows.push_back(row);
    out_.place[row] = static_cast<std::int64_t>(found_.size() - 1);
  }

  // The time from which the gap before a job is measured.
  Time before() const {
    if (delimiter_ == Delimiter::arrival) return found_.back().last_submit;
    return delimiter_ == Delimiter::last ? end_ : found_.back().last_end;
  }

  // Numbers sessions by their first job in time order.
  void number() {
    std::int64_t next = 0;
    out_.by_user.resize(found_.size());
    out_.session.resize(in_time_.size());
    for (const std::uint32_t row : in_time_) {
      const auto p = static_cast<std::size_t>(out_.place[row]);
      if (found_[p].first_row == row) out_.by_user[p] = next++;
      out_.session[row] = out_.by_user[p];
    }
  }

  void describe() {
    for (auto* column : {&out_.user, &out_.first_submit, &out_.last_submit, &out_.last_end})
      column->resize(found_.size());
    out_.jobs.resize(found_.size());
    for (std::size_t p = 0; p < found_.size(); ++p) {
      const auto number = static_cast<std::size_t>(out_.by_user[p]);
      out_.user[number] = out_.users[found_[p].user];
      out_.first_submit[number] = found_[p].first_submit;
      out_.last_submit[number] = found_[p].last_submit;
      out_.last_end[number] = found_[p].last_end;
      out_.jobs[number] = found_[p].jobs;
    }
  }

  RecordedJobs jobs_;
  Delimiter delimiter_;
  Time threshold_;
  bool every_job_;                      // every job is a session, even at equal submit times
  std::vector<std::uint32_t> in_time_;  // rows by (submit, row)
  std::vector<Found> found_;            // by place
  Time end_ = 0;                        // of the last job
  Sessions out_;
};

// The begin or end of the session at a place, ordered by (time, place).
using Moment = std::pair<std::uint64_t, std::int64_t>;

// Finds the predecessors user by user.
class Finder {
 public:
  Finder(std::span<const double> began, std::span<const double> ended, bool reduced)
      : began_(began), ended_(ended), reduced_(reduced) {
    for (auto* column : {&out_.begin, &out_.stop, &out_.by_end}) column->reserve(began.size());
  }

  void take_user(std::size_t from, std::size_t past) {
    sort_ends(from, past);
    std::size_t before = 0;    // ends before the begin
    std::int64_t latest = -1;  // their largest place
    for (std::size_t p = from; p < past; ++p) {
      const Moment beginning{ascending(began_[p]), p};
      for (; before < ends_.size() && ends_[before] < beginning; ++before)
        latest = std::max(latest, ends_[before].second);
      out_.begin.push_back(reduced_ && latest >= 0 ? out_.stop[static_cast<std::size_t>(latest)]
                                                   : static_cast<std::int64_t>(from));
      out_.stop.push_back(static_cast<std::int64_t>(from + before));
    }
  }

  Predecessors predecessors() { return std::move(out_); }

 private:
  void sort_ends(std::size_t from, std::size_t past) {
    ends_.clear();
    for (std::size_t p = from; p < past; ++p) {
      if (!(ended_[p] >= began_[p]) || (p > from && began_[p] < began_[p - 1]))
        throw std::invalid_argument("sessions must end after they begin and be in the order of their begin");
      ends_.emplace_back(ascending(ended_[p]), p);
    }
    if (!std::is_sorted(ends_.begin(), ends_.end())) std::sort(ends_.begin(), ends_.end());
    for (const Moment& end : ends_) out_.by_end.push_back(end.second);
  }

  std::span<const double> began_, ended_;
  bool reduced_;
  std::vector<Moment> ends_;  // of one user
  Predecessors out_;
};

}  // namespace

Sessions find_sessions(const RecordedJobs& jobs, Delimiter delimiter, Time threshold) {
  return Cutter(jobs, delimiter, threshold).sessions();
}

// The sessions that had ended when p began are a prefix of its user's places by end. If zero-length sessions share an
// instant, the later place depends on the earlier one, so every session before p has a smaller place. Let M be the
// session with the largest place among those that p depends on; the reduced graph keeps those that ended after M began.
Predecessors find_predecessors(std::span<const double> began, std::span<const double> ended,
                               std::span<const std::int64_t> user_start, bool reduced) {
  Finder finder(began, ended, reduced);
  for (std::size_t u = 0; u + 1 < user_start.size(); ++u)
    finder.take_user(static_cast<std::size_t>(user_start[u]), static_cast<std::size_t>(user_start[u + 1]));
  return finder.predecessors();
}

}  // namespace thinktime
