// Sessions of a log, and the sessions that each depends on, as recorded.
//
// A new session begins where the gap before a submission exceeds a threshold: the gap to the previous submission
// (`arrival`), to the recorded end of the previous job (`last`), or to the latest end in the session so far (`max`).
// Zakay and Feitelson 2012. A session depends on those of its user that had ended when it began; of these the reduced
// graph keeps the ones without a third session in between. Madon, Da Costa and Pierson 2024.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"

namespace thinktime {

enum class Delimiter { arrival, last, max };

// One value per job, in the order of the workload.
struct RecordedJobs {
  std::span<const double> submit;  // all known
  std::span<const double> end;     // all known, never before the submission
  std::span<const double> user;    // NaN: unknown; all such jobs belong to the user kUnknownUser
};

inline constexpr double kUnknownUser = -1;

// Sessions have a number, by (first submission, row of the first job), and a place, by (user, number).
struct Sessions {
  std::vector<std::int64_t> session;     // by job: the number of its session
  std::vector<std::int64_t> place;       // by job: the place of its session
  std::vector<std::int64_t> rows;        // jobs by (user, submit, row)
  std::vector<double> users;             // ascending
  std::vector<std::int64_t> user_start;  // the places of user u are user_start[u] … user_start[u + 1] - 1
  std::vector<std::int64_t> by_user;     // by place: number
  // by number
  std::vector<double> user, first_submit, last_submit, last_end;
  std::vector<std::int64_t> jobs;
};

Sessions find_sessions(const RecordedJobs& jobs, Delimiter delimiter, Time threshold);

// The session at place p depends on the places by_end[begin[p]] … by_end[stop[p] - 1]. `begin` and `stop` ascend.
struct Predecessors {
  std::vector<std::int64_t> begin, stop;
  std::vector<std::int64_t> by_end;  // places by (user, end, place)
};

// `began` and `ended` are by place.
Predecessors find_predecessors(std::span<const double> began, std::span<const double> ended,
                               std::span<const std::int64_t> user_start, bool reduced);

}  // namespace thinktime
