#include "description/similarity.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace thinktime {

namespace {

using Sorted = std::span<const double>;  // ascending

constexpr std::size_t kFewPairs = 4096;  // up to this number, the median is found from a list

double ratio(double a, double b) { return a == b ? 1.0 : std::min(a, b) / std::max(a, b); }

std::size_t zeros(Sorted values) {
  return static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), 0.0) - values.begin());
}

// All pairs a <= b: the ratios of one b share the divisor, so a running sum suffices.
struct Totals {
  double sum = 0, identical = 0;
};

Totals within(Sorted values) {
  const std::size_t none = zeros(values);
  const double same = static_cast<double>(none) * (static_cast<double>(none) - 1) / 2;
  Totals found{same, same};
  double smaller = 0, equal = 0;  // sum of the smaller values; number of values equal to the current one
  for (std::size_t k = none; k < values.size(); ++k) {
    equal = k > none && values[k] == values[k - 1] ? equal + 1 : 0;
    found.sum += smaller / values[k];
    found.identical += equal;
    smaller += values[k];
  }
  return found;
}

Totals across(Sorted a, Sorted b) {
  std::size_t i = zeros(a), j = zeros(b);
  const double same = static_cast<double>(i) * static_cast<double>(j);
  Totals found{same, same};
  double below_a = 0, below_b = 0;  // sums of the processed values of a and of b
  while (i < a.size() || j < b.size()) {
    const double value = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
    double of_a = 0, of_b = 0;
    for (; i < a.size() && a[i] == value; ++i) ++of_a;
    for (; j < b.size() && b[j] == value; ++j) ++of_b;
    found.sum += of_a * (below_b / value) + of_b * (below_a / value) + of_a * of_b;
    found.identical += of_a * of_b;
    below_a += of_a * value;
    below_b += of_b * value;
  }
  return found;
}

// The number of pairs with at most this similarity. For a fixed b the ratio rises with a up to b and then falls, so
// these pairs are the first and the last values of a; both limits increase with b.
double at_most(Sorted a, Sorted b, double most) {
  double count = 0;
  std::size_t low = 0, high = 0;
  for (const double value : b) {
    while (low < a.size() && a[low] < value && ratio(a[low], value) <= most) ++low;
    high = std::max(high, low);
    while (high < a.size() && (a[high] <= value || ratio(a[high], value) > most)) ++high;
    count += static_cast<double>(low + (a.size() - high));
  }
  return count;
}

double at_most_within(Sorted values, double most) {
  double count = 0;
  std::size_t low = 0;
  for (const double value : values) {
    while (low < values.size() && values[low] < value && ratio(values[low], value) <= most) ++low;
    count += static_cast<double>(low);
  }
  return count;
}

// The k-th smallest similarity, k from 1: bisection over the bit patterns of the numbers from 0 to 1.
template <class Count>
double kth(double k, Count count) {
  if (count(std::bit_cast<double>(std::bit_cast<std::uint64_t>(1.0) - 1)) < k) return 1.0;
  std::uint64_t low = 0, high = std::bit_cast<std::uint64_t>(1.0) - 1;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (count(std::bit_cast<double>(middle)) >= k)
      high = middle;
    else
      low = middle + 1;
  }
  return std::bit_cast<double>(low);
}

template <class Count>
double median_by_count(double pairs, Count count) {
  const double upper = static_cast<double>(static_cast<std::uint64_t>(pairs) / 2 + 1);
  const bool odd = static_cast<std::uint64_t>(pairs) % 2 == 1;
  const double high = kth(upper, count);
  return odd ? high : (kth(upper - 1, count) + high) / 2;
}

double median_of(std::vector<double>& all) {
  const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), half, all.end());
  return all.size() % 2 ? *half : (*std::max_element(all.begin(), half) + *half) / 2;
}

double median_within(Sorted values, double pairs, std::vector<double>& room) {
  if (pairs > kFewPairs) return median_by_count(pairs, [&](double most) { return at_most_within(values, most); });
  room.clear();
  for (std::size_t j = 1; j < values.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) room.push_back(ratio(values[i], values[j]));
  return median_of(room);
}

double median_across(Sorted a, Sorted b, double pairs, std::vector<double>& room) {
  if (pairs > kFewPairs) return median_by_count(pairs, [&](double most) { return at_most(a, b, most); });
  room.clear();
  for (const double x : a)
    for (const double y : b) room.push_back(ratio(x, y));
  return median_of(room);
}

}  // namespace

PairSimilarity similarity_by_distance(const SessionValues& jobs, std::int64_t distances, bool medians) {
  std::vector<double> sorted(jobs.values.begin(), jobs.values.end());
  const auto sessions = static_cast<std::int64_t>(jobs.start.size()) - 1;
  const auto place = [&](std::int64_t s) { return sorted.begin() + jobs.start[static_cast<std::size_t>(s)]; };
  for (std::int64_t s = 0; s < sessions; ++s) std::sort(place(s), place(s + 1));
  const auto size = static_cast<std::size_t>(sessions * distances);
  PairSimilarity found{std::vector<double>(size), std::vector<double>(size, std::numeric_limits<double>::quiet_NaN()),
                       std::vector<double>(size), std::vector<double>(size)};
  std::vector<double> room;
  const auto compare = [&](std::int64_t s, std::int64_t distance) {
    const Sorted a(place(s), place(s + 1)), b(place(s + distance), place(s + distance + 1));
    const auto n = static_cast<double>(a.size());
    const double pairs = distance == 0 ? n * (n - 1) / 2 : n * static_cast<double>(b.size());
    if (pairs == 0) return;
    const Totals totals = distance == 0 ? within(a) : across(a, b);
    const auto at = static_cast<std::size_t>(distance * sessions + s);
    found.pairs[at] = pairs;
    found.sum[at] = totals.sum;
    found.identical[at] = totals.identical;
    if (medians) found.median[at] = distance == 0 ? median_within(a, pairs, room) : median_across(a, b, pairs, room);
  };
  for (std::size_t u = 0; u + 1 < jobs.user_start.size(); ++u)
    for (std::int64_t s = jobs.user_start[u]; s < jobs.user_start[u + 1]; ++s)
      for (std::int64_t d = 0; d < distances && s + d < jobs.user_start[u + 1]; ++d) compare(s, d);
  return found;
}

}  // namespace thinktime
