// Similarity of jobs across the sessions of a user. Zakay and Feitelson 2014, section 3.
//
// The similarity of two values is the smaller divided by the larger, 1 if they are equal. Distance 0 compares all pairs
// inside a session; distance n compares the jobs of a session with those of the user's n-th session after it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace thinktime {

// Values by session; sessions by user, in order.
struct SessionValues {
  std::span<const double> values;            // known, not negative
  std::span<const std::int64_t> start;       // session s has values[start[s]] … values[start[s + 1] - 1]
  std::span<const std::int64_t> user_start;  // user u has sessions user_start[u] … user_start[u + 1] - 1
};

// Index: distance * sessions + session. Without pairs, `pairs` is 0 and `median` is NaN.
struct PairSimilarity {
  std::vector<double> sum;               // of the similarities of all pairs
  std::vector<double> median;            // of the same; all NaN if not requested
  std::vector<double> pairs, identical;  // numbers of pairs; may exceed 32 bits
};

// Medians take most of the time; sums need no list of pairs.
PairSimilarity similarity_by_distance(const SessionValues& jobs, std::int64_t distances, bool medians);

}  // namespace thinktime
