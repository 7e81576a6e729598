// Named numbers that plugins publish and that schedulers may read: the power drawn, the hottest node.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace thinktime {

class Values {
 public:
  // The place of a name; it never changes. The value is NaN until it is set.
  std::size_t place(const std::string& name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at != names_.end()) return static_cast<std::size_t>(at - names_.begin());
    names_.push_back(name);
    numbers_.push_back(std::numeric_limits<double>::quiet_NaN());
    return names_.size() - 1;
  }
  void set(std::size_t place, double number) { numbers_[place] = number; }
  double operator[](std::size_t place) const { return numbers_[place]; }

  // The values that keys use during a pass: queues are sorted by them, so they must not change within it.
  void settle() { settled_ = numbers_; }
  double settled(std::size_t place) const {
    return place < settled_.size() ? settled_[place] : std::numeric_limits<double>::quiet_NaN();
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::vector<double> numbers_;
  std::vector<double> settled_;  // as they were when the pass began
};

}  // namespace thinktime
