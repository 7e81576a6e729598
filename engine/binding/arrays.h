// NumPy arrays that own their memory: filled from an expression, or taken over from a vector.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <type_traits>
#include <utility>

template <class T, class Get>
nanobind::object array_of(std::size_t n, Get get) {
  T* data = new T[n ? n : 1];
  for (std::size_t i = 0; i < n; ++i) data[i] = get(i);
  nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, {n}, owner));
}

// A std::vector or Column as an array that owns it.
template <class Values>
auto to_numpy(Values values) {
  auto* kept = new Values(std::move(values));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
  using Value = std::remove_reference_t<decltype(*kept->data())>;
  return nanobind::ndarray<nanobind::numpy, Value, nanobind::ndim<1>, nanobind::c_contig>(kept->data(), {kept->size()},
                                                                                          owner);
}
