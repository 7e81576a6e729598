// Checks of arrays from Python, before the engine reads them. A violation raises thinktime.InputError (module.cc).
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>

namespace thinktime {

inline constexpr std::int64_t kMostProcessors = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t kMostRows =
    std::numeric_limits<std::uint32_t>::max() - 1;  // the largest number is kNoJob

inline void require(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

inline void require_equal_lengths(std::initializer_list<std::size_t> lengths) {
  for (const std::size_t length : lengths) require(length == *lengths.begin(), "the arrays differ in length");
}

// Requires every value to be between `low` and `high`, both included.
template <class Array>
void require_between(const Array& values, std::int64_t low, std::int64_t high, const char* name) {
  for (std::size_t i = 0; i < values.shape(0); ++i)
    if (const std::int64_t value = values.data()[i]; value < low || value > high)
      throw std::invalid_argument(std::string(name) + " must be between " + std::to_string(low) + " and " +
                                  std::to_string(high) + " (got " + std::to_string(value) + " in row " +
                                  std::to_string(i) + ")");
}

// Requires holds(value) for every value.
template <class Array, class Rule>
void require_numbers(const Array& values, Rule holds, const char* name, const char* rule) {
  for (std::size_t i = 0; i < values.shape(0); ++i)
    if (const double value = values.data()[i]; !holds(value))
      throw std::invalid_argument(std::string(name) + " must be " + rule + " (got " + std::to_string(value) +
                                  " in row " + std::to_string(i) + ")");
}

template <class Array>
void require_known(const Array& values, const char* name) {
  require_numbers(values, [](double value) { return !std::isnan(value); }, name, "known");
}
template <class Array>
void require_finite(const Array& values, const char* name) {
  require_numbers(values, [](double value) { return std::isfinite(value); }, name, "finite");
}
template <class Array>
void require_durations(const Array& values, const char* name) {
  require_numbers(values, [](double value) { return value >= 0 && std::isfinite(value); }, name, "finite, 0 or more");
}

}  // namespace thinktime
