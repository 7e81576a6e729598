// Similarity of jobs across the sessions of a user. Zakay and Feitelson 2014, section 3.
//
// Two values are similar by the smaller over the larger, 1 where they are equal. At distance 0 all pairs inside a session
// are compared, at distance n all pairs of one job of a session and one of the user's n-th session after it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace thinktime {

// Values session by session, sessions user by user in their order.
struct SessionValues {
  std::span<const double> values;            // known, not negative
  std::span<const std::int64_t> start;       // those of session s are values[start[s]] … values[start[s + 1] - 1]
  std::span<const std::int64_t> user_start;  // the sessions of user u are user_start[u] … user_start[u + 1] - 1
};

// By distance and session: distance * sessions + session. Where there is no pair, `pairs` is 0 and `median` NaN.
struct PairSimilarity {
  std::vector<double> sum;               // of the similarities of all pairs
  std::vector<double> median;            // of the same; NaN everywhere if nobody asks for it
  std::vector<double> pairs, identical;  // numbers of pairs; they may exceed what 32 bits hold
};

// Medians are what takes long: sums need no list of the pairs.
PairSimilarity similarity_by_distance(const SessionValues& jobs, std::int64_t distances, bool medians);

}  // namespace thinktime
