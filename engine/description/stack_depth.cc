#include "description/stack_depth.h"

#include <algorithm>
#include <cmath>

namespace thinktime {

namespace {

// With a tolerance, entries differ by at least that much, so there are some hundreds and a plain list is fast enough.
class Stack {
 public:
  explicit Stack(double tolerance) : tolerance_(tolerance) {}

  std::int64_t find(double value) {
    for (std::size_t k = entries_.size(); k-- > 0;) {
      const double entry = entries_[k];
      if (value != entry && !(std::abs(value - entry) <= tolerance_ * entry)) continue;
      std::rotate(entries_.begin() + static_cast<std::ptrdiff_t>(k),
                  entries_.begin() + static_cast<std::ptrdiff_t>(k) + 1, entries_.end());
      return static_cast<std::int64_t>(entries_.size() - 1 - k);
    }
    entries_.push_back(value);
    return -1;
  }

 private:
  double tolerance_;
  std::vector<double> entries_;  // the top is last
};

// Prefix sums of marks (Fenwick 1994).
class Marks {
 public:
  explicit Marks(std::size_t places) : tree_(places + 1, 0) {}

  void add(std::size_t place, std::int32_t by) {
    for (++place; place < tree_.size(); place += place & -place) tree_[place] += by;
  }

  // The number of marks before this place.
  std::int64_t before(std::size_t place) const {
    std::int64_t sum = 0;
    for (; place > 0; place -= place & -place) sum += tree_[place];
    return sum;
  }

 private:
  std::vector<std::int32_t> tree_;
};

// Equal values only: the depth is the number of distinct values since the last occurrence.
std::vector<std::int64_t> exact(std::span<const double> values) {
  std::vector<double> distinct(values.begin(), values.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::int64_t> last(distinct.size(), -1);  // last place of each value
  std::vector<std::int64_t> depths(values.size(), -1);
  Marks latest(values.size());  // marks the last place of each value
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto& seen = last[static_cast<std::size_t>(std::lower_bound(distinct.begin(), distinct.end(), values[i]) -
                                               distinct.begin())];
    if (seen >= 0) {
      const auto place = static_cast<std::size_t>(seen);
      depths[i] = latest.before(i) - latest.before(place + 1);
      latest.add(place, -1);
    }
    latest.add(i, 1);
    seen = static_cast<std::int64_t>(i);
  }
  return depths;
}

}  // namespace

std::vector<std::int64_t> stack_depths(std::span<const double> values, double tolerance) {
  if (tolerance == 0) return exact(values);
  Stack stack(tolerance);
  std::vector<std::int64_t> depths(values.size());
  std::transform(values.begin(), values.end(), depths.begin(), [&](double value) { return stack.find(value); });
  return depths;
}

}  // namespace thinktime
