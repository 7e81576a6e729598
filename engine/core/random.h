// Random streams: Philox 4x64-10 (Salmon et al. 2011), equal to NumPy's Generator(Philox(key)).
//
// A stream is a key; its n-th block of four numbers is a function of the key and n, so streams are independent.
#pragma once
#include <array>
#include <cstdint>

namespace thinktime {

class Philox {
 public:
  using Word = std::uint64_t;

  Philox(Word low, Word high) : key_{low, high} {}

  Word next() {
    if (used_ == 4) refill();
    return block_[used_++];
  }

  // In [0, 1): 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  __extension__ using Product = unsigned __int128;
  static constexpr Word kMultiply0 = 0xD2E7470EE14C6C93, kMultiply1 = 0xCA5A826395121157;
  static constexpr Word kWeyl0 = 0x9E3779B97F4A7C15, kWeyl1 = 0xBB67AE8584CAA73B;

  void refill() {
    block_ = {++counter_, 0, 0, 0};  // NumPy increments before it draws
    std::array<Word, 2> key = key_;
    for (int round = 0; round < 10; ++round, key[0] += kWeyl0, key[1] += kWeyl1) mix(key);
    used_ = 0;
  }

  void mix(const std::array<Word, 2>& key) {
    const Product a = static_cast<Product>(kMultiply0) * block_[0];
    const Product b = static_cast<Product>(kMultiply1) * block_[2];
    block_ = {static_cast<Word>(b >> 64) ^ block_[1] ^ key[0], static_cast<Word>(b),
              static_cast<Word>(a >> 64) ^ block_[3] ^ key[1], static_cast<Word>(a)};
  }

  std::array<Word, 2> key_;
  Word counter_ = 0;
  std::array<Word, 4> block_{};
  int used_ = 4;
};

}  // namespace thinktime
