// The input of a user model, a plugin or an application model: arrays and options by name. Python owns the arrays; a
// model copies what it keeps. Accessors throw if an array is missing or has the wrong length.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/options.h"

namespace thinktime {

class Plan {
 public:
  using Times = std::span<const double>;
  using Indices = std::span<const std::int64_t>;
  using Words = std::span<const std::uint64_t>;

  Options options;

  void set(const std::string& name, Times values) { times_[name] = values; }
  void set(const std::string& name, Indices values) { indices_[name] = values; }
  void set(const std::string& name, Words values) { words_[name] = values; }

  Times times(const std::string& name, std::size_t length) const { return get(times_, name, length); }
  Indices indices(const std::string& name, std::size_t length) const { return get(indices_, name, length); }
  Indices indices(const std::string& name) const { return get(indices_, name); }
  Times times(const std::string& name) const { return get(times_, name); }
  Words words(const std::string& name, std::size_t length) const { return get(words_, name, length); }
  Words words(const std::string& name) const { return get(words_, name); }

  // The `start` array of a compressed table: ascends from 0 to the length of the table.
  Indices starts(const std::string& name, std::size_t rows, std::size_t length) const {
    require(rows + 1 != 0, name, "is empty");  // if the number of rows was computed as a length minus 1
    const Indices start = indices(name, rows + 1);
    for (std::size_t k = 0; k < rows; ++k) require(start[k] <= start[k + 1], name, "does not ascend");
    require(start.front() == 0 && start.back() == static_cast<std::int64_t>(length), name, "does not cover its table");
    return start;
  }

  // Indices into a table of `rows` rows.
  Indices pointing(const std::string& name, std::size_t length, std::size_t rows) const {
    const Indices values = indices(name, length);
    for (const std::int64_t value : values)
      require(value >= 0 && static_cast<std::size_t>(value) < rows, name, "points outside its table");
    return values;
  }

  static void require(bool holds, std::string_view name, const char* problem) {
    if (!holds) throw std::invalid_argument("the plan: " + std::string(name) + " " + problem);
  }

 private:
  template <class Values>
  static Values get(const std::map<std::string, Values>& all, const std::string& name) {
    const auto at = all.find(name);
    require(at != all.end(), name, "is missing");
    return at->second;
  }
  template <class Values>
  static Values get(const std::map<std::string, Values>& all, const std::string& name, std::size_t length) {
    const Values values = get(all, name);
    require(values.size() == length, name, "has the wrong length");
    return values;
  }

  std::map<std::string, Times> times_;
  std::map<std::string, Indices> indices_;
  std::map<std::string, Words> words_;
};

// A copy that a model keeps.
template <class T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace thinktime
