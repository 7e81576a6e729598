#include "description/shuffles.h"

#include <algorithm>

#include "core/random.h"

namespace thinktime {

namespace {

// Integers below a bound, from halves of the stream's words. Lemire 2019.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t name) : stream_(seed, name) {}

  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = std::uint64_t{half()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t least = -bound % bound;
      while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{half()} * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  std::uint32_t half() {
    if (!kept_) word_ = stream_.next();
    kept_ = !kept_;
    const auto low = static_cast<std::uint32_t>(word_);
    word_ >>= 32;
    return low;
  }

  Philox stream_;
  std::uint64_t word_ = 0;
  bool kept_ = false;  // half of the word is still unused
};

using Label = std::uint32_t;

void shuffle(std::vector<Label>& labels, Dice& dice) {
  for (auto left = static_cast<std::uint32_t>(labels.size()); left > 1; --left)
    std::swap(labels[left - 1], labels[dice.below(left)]);
}

// Values ascend, so each is compared with the sum of the earlier ones in its session, without lists of sessions.
double similarity_in(std::span<const double> values, const std::vector<Label>& labels, std::vector<double>& before) {
  std::fill(before.begin(), before.end(), 0.0);
  double sum = 0;
  std::size_t k = 0;
  for (; k < values.size() && values[k] == 0; ++k) sum += before[labels[k]]++;  // two zeros are equal
  if (k > 0) std::fill(before.begin(), before.end(), 0.0);
  for (; k < values.size(); ++k) {
    double& smaller = before[labels[k]];
    sum += smaller / values[k];
    smaller += values[k];
  }
  return sum;
}

}  // namespace

std::vector<double> shuffled_similarity(const UserValues& jobs, std::uint64_t seed,
                                        std::span<const std::uint64_t> names) {
  std::vector<double> sums;
  std::vector<Label> labels;
  std::vector<double> before;  // by session
  for (const std::uint64_t name : names) {
    Dice dice(seed, name);
    double sum = 0;
    for (std::size_t u = 0; u < jobs.weight.size(); ++u) {
      const auto begin = static_cast<std::size_t>(jobs.start[u]), end = static_cast<std::size_t>(jobs.start[u + 1]);
      if (begin == end) continue;
      labels.assign(jobs.session.begin() + jobs.start[u], jobs.session.begin() + jobs.start[u + 1]);
      before.resize(*std::max_element(labels.begin(), labels.end()) + 1);
      shuffle(labels, dice);
      sum += jobs.weight[u] * similarity_in(jobs.values.subspan(begin, end - begin), labels, before);
    }
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace thinktime
