// What similarity inside sessions would be if each user's jobs were dealt out to the user's sessions at random, the
// sessions keeping their numbers of jobs. Zakay and Feitelson 2014, Fig. 2.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace thinktime {

struct UserValues {
  std::span<const double> values;         // user by user, each user's ascending; known, not negative
  std::span<const std::int64_t> session;  // as many labels, from 0 for each user: each as often as the session has jobs
  std::span<const std::int64_t> start;    // those of user u are values[start[u]] … values[start[u + 1] - 1]
  std::span<const double> weight;         // by user: what one similar pair adds to the result
};

// By shuffle: the weighted sum, over users, of the similarities of all pairs in one session. The n-th shuffle draws from the
// stream (seed, names[n]), so that it is the same alone or among others.
std::vector<double> shuffled_similarity(const UserValues& jobs, std::uint64_t seed,
                                        std::span<const std::uint64_t> names);

}  // namespace thinktime
