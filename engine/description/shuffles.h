// Similarity inside sessions if each user's jobs are assigned to the user's sessions at random; the sessions keep their
// numbers of jobs. Zakay and Feitelson 2014, Fig. 2.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace thinktime {

struct UserValues {
  std::span<const double> values;  // by user, ascending within a user; known, not negative
  std::span<const std::int64_t>
      session;  // one label per value, from 0 within each user: each as often as the session has jobs
  std::span<const std::int64_t> start;  // user u has values[start[u]] … values[start[u + 1] - 1]
  std::span<const double> weight;       // by user: weight of one pair
};

// By shuffle: the weighted sum, over users, of the similarities of all pairs in one session. The n-th shuffle draws
// from the stream (seed, names[n]), so that it does not depend on the other shuffles.
std::vector<double> shuffled_similarity(const UserValues& jobs, std::uint64_t seed,
                                        std::span<const std::uint64_t> names);

}  // namespace thinktime
