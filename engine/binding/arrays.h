// NumPy arrays that own their memory, filled from an expression.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

template <class T, class Get>
nanobind::object array_of(std::size_t n, Get get) {
  T* data = new T[n ? n : 1];
  for (std::size_t i = 0; i < n; ++i) data[i] = get(i);
  nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, {n}, owner));
}
