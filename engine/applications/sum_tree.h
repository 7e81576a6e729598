// The sum of one number per core, kept in a binary tree. Setting a number costs O(log cores); the sum equals pairwise
// addition from scratch, so rounding errors do not accumulate.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

namespace thinktime {

class SumTree {
 public:
  void begin(std::int32_t size) {
    leaves_ = std::bit_ceil(static_cast<std::uint32_t>(size));
    nodes_.assign(2 * std::size_t{leaves_}, 0.0);
  }

  double operator[](std::int32_t i) const { return nodes_[leaves_ + i]; }
  double sum() const { return nodes_[1]; }

  void set(std::int32_t i, double value) {
    std::size_t at = leaves_ + i;
    nodes_[at] = value;
    while ((at /= 2) > 0) nodes_[at] = nodes_[2 * at] + nodes_[2 * at + 1];
  }

 private:
  std::uint32_t leaves_ = 1;
  std::vector<double> nodes_{0.0, 0.0};  // 1 is the root, 2k and 2k + 1 are the children of k, the cores are the leaves
};

}  // namespace thinktime
