// A growing column of float64. Unlike std::vector it grows with realloc, which remaps the pages of a large block
// instead of copying them.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace thinktime::io {

class Column {
 public:
  Column() = default;
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Column() { std::free(data_); }

  void push_back(double value) {
    if (size_ == capacity_) grow();
    data_[size_++] = value;
  }

  std::size_t size() const { return size_; }
  double* data() { return data_; }
  const double* data() const { return data_; }
  const double* begin() const { return data_; }
  const double* end() const { return data_ + size_; }

 private:
  void grow() {
    const std::size_t capacity = capacity_ == 0 ? 64 : 2 * capacity_;
    auto* grown = static_cast<double*>(std::realloc(data_, capacity * sizeof(double)));
    if (grown == nullptr) throw std::bad_alloc();
    data_ = grown;
    capacity_ = capacity;
  }

  void swap(Column& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  double* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace thinktime::io
