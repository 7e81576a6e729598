#include "io/parquet_values.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace thinktime::io;

namespace {

std::size_t length_after(const std::string& block, std::size_t& at, std::size_t length) {
  if (length < 15) return length;
  for (unsigned char more = 255; more == 255; ++at) length += more = static_cast<unsigned char>(block[at]);
  return length;
}

// What the LZ4 format says that a block means.
std::string unpacked(const std::string& block) {
  std::string out;
  for (std::size_t at = 0; at < block.size();) {
    const auto token = static_cast<unsigned char>(block[at++]);
    const std::size_t literals = length_after(block, at, token >> 4);
    out += block.substr(at, literals);
    at += literals;
    if (at >= block.size()) break;
    const std::size_t distance =
        static_cast<unsigned char>(block[at]) + 256u * static_cast<unsigned char>(block[at + 1]);
    at += 2;
    const std::size_t length = length_after(block, at, token & 15) + 4;
    for (std::size_t k = 0; k < length; ++k) out.push_back(out[out.size() - distance]);
  }
  return out;
}

std::string packed(const std::string& text) {
  return lz4_block({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

}  // namespace

TEST_CASE("LZ4 by hand") {
  CHECK(packed("") == std::string("\0", 1));
  CHECK(packed("abc") ==
        "\x30"
        "abc");
  // one literal, a match of 14 = 4 + 10 bytes at distance 1, five literals at the end
  CHECK(packed(std::string(20, 'a')) == std::string("\x1A"
                                                    "a"
                                                    "\x01\x00"
                                                    "\x50"
                                                    "aaaaa",
                                                    10));
}

TEST_CASE("LZ4 blocks unpack to what was packed") {
  std::mt19937 random(7);
  for (std::size_t size : {1u, 12u, 13u, 17u, 300u, 5000u, 70'000u, 200'000u})
    for (unsigned letters : {1u, 2u, 5u, 256u}) {
      std::string text(size, '\0');
      for (char& letter : text) letter = static_cast<char>(random() % letters);
      text += text.substr(0, size / 2);
      CHECK(unpacked(packed(text)) == text);
    }
}

TEST_CASE("Repeated bytes become short") { CHECK(packed(std::string(100'000, 'x')).size() < 500); }

TEST_CASE("Differences by hand") {
  // 128 per block, 4 packs, 3 values, first 7 (zigzag 14); least step 1 (zigzag 2), one pack of width 2: 0 and 2
  const std::vector<std::int64_t> values{7, 8, 11};
  CHECK(delta_packed(values) == std::string("\x80\x01\x04\x03\x0E\x02\x02\0\0\0\x08\0\0\0\0\0\0\0", 18));
  CHECK(delta_packed({}) == std::string("\x80\x01\x04\0\0", 5));
}

TEST_CASE("Bytes of numbers, split") {
  const std::vector<double> values{1.0, 2.0};  // 0x3FF0…, 0x4000…
  CHECK(byte_stream_split(values) == std::string("\0\0\0\0\0\0\0\0\0\0\0\0\xF0\0\x3F\x40", 16));
}
