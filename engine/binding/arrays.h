// Arrays that cross the border between Python and the engine.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/values.h"

namespace thinktime {

// What Python passes in: one-dimensional, contiguous, read-only.
template <class T>
using Input = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Doubles = Input<double>;
using Counts = Input<std::int32_t>;
using Indices = Input<std::int64_t>;
using Words = Input<std::uint64_t>;

// What Python gets: a NumPy array that owns its memory.
template <class T>
using Output = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>, nanobind::c_contig>;

// Named columns: dict[str, NDArray].
using Columns = nanobind::typed<nanobind::dict, nanobind::str, nanobind::ndarray<nanobind::numpy>>;

// Numbers by name: dict[str, float].
using NamedNumbers = nanobind::typed<nanobind::dict, nanobind::str, double>;

// An object that is a NumPy array.
using AnyArray = nanobind::typed<nanobind::object, nanobind::ndarray<nanobind::numpy>>;

// The array of get(0) … get(n - 1).
template <class T, class Get>
Output<T> array_of(std::size_t n, Get get) {
  T* data = new T[n ? n : 1];
  for (std::size_t i = 0; i < n; ++i) data[i] = get(i);
  nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Output<T>(data, {n}, owner);
}

// A std::vector or Column as an array, without a copy.
template <class Values>
auto to_numpy(Values values) {
  auto* kept = new Values(std::move(values));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
  return Output<std::remove_reference_t<decltype(*kept->data())>>(kept->data(), {kept->size()}, owner);
}

// What plugins have published.
inline NamedNumbers numbers_of(const Values& values) {
  NamedNumbers out;
  for (std::size_t k = 0; k < values.names().size(); ++k) out[values.names()[k].c_str()] = values[k];
  return out;
}

}  // namespace thinktime
