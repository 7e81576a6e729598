#include "io/parquet_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace thinktime::io {

namespace {

constexpr std::size_t kBlock = 128;             // differences with one minimum
constexpr std::size_t kPack = 32;               // differences with one width
constexpr std::size_t kPacks = kBlock / kPack;  // in a block

void append_varint(std::string& out, std::uint64_t number) {
  for (; number > 0x7F; number >>= 7) out.push_back(static_cast<char>((number & 0x7F) | 0x80));
  out.push_back(static_cast<char>(number));
}

void append_zigzag(std::string& out, std::int64_t number) {
  append_varint(out, (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63));
}

// Appends 32 numbers of `width` bits, lowest bit first.
void append_packed(std::string& out, const std::uint64_t* numbers, int width) {
  std::uint64_t held = 0;
  int bits = 0;  // of `held`
  for (std::size_t k = 0; k < kPack; ++k) {
    held |= numbers[k] << bits;
    bits += width;
    if (bits < 64) continue;
    out.append(reinterpret_cast<const char*>(&held), 8);
    bits -= 64;
    held = bits ? numbers[k] >> (width - bits) : 0;
  }
  out.append(reinterpret_cast<const char*>(&held), static_cast<std::size_t>(bits) / 8);
}

// Appends one block: the least difference, the widths, and what exceeds the least difference.
void append_block(std::string& out, std::span<const std::int64_t> steps) {
  const std::int64_t least = *std::min_element(steps.begin(), steps.end());
  std::array<std::uint64_t, kBlock> above{};
  for (std::size_t k = 0; k < steps.size(); ++k)
    above[k] = static_cast<std::uint64_t>(steps[k]) - static_cast<std::uint64_t>(least);
  append_zigzag(out, least);
  std::array<int, kPacks> widths{};
  for (std::size_t pack = 0; pack < kPacks; ++pack) {
    std::uint64_t any = 0;
    for (std::size_t k = 0; k < kPack; ++k) any |= above[pack * kPack + k];
    widths[pack] = std::bit_width(any);
    out.push_back(static_cast<char>(widths[pack]));
  }
  for (std::size_t pack = 0; pack * kPack < steps.size(); ++pack)
    append_packed(out, above.data() + pack * kPack, widths[pack]);
}

}  // namespace

std::string delta_packed(std::span<const std::int64_t> values) {
  std::string out;
  append_varint(out, kBlock);
  append_varint(out, kPacks);
  append_varint(out, values.size());
  append_zigzag(out, values.empty() ? 0 : values[0]);
  std::array<std::int64_t, kBlock> steps;
  for (std::size_t begin = 1; begin < values.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, values.size() - begin);
    for (std::size_t k = 0; k < count; ++k)  // differences wrap around, as the format demands
      steps[k] = static_cast<std::int64_t>(static_cast<std::uint64_t>(values[begin + k]) -
                                           static_cast<std::uint64_t>(values[begin + k - 1]));
    append_block(out, {steps.data(), count});
  }
  return out;
}

std::string byte_stream_split(std::span<const double> values) {
  const std::size_t n = values.size();
  std::string out(n * sizeof(double), '\0');
  char* place = out.data();
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(values[i]);
    for (std::size_t k = 0; k < sizeof(double); ++k) place[k * n + i] = static_cast<char>(bits >> (8 * k));
  }
  return out;
}

namespace {

constexpr int kHashBits = 13;
constexpr std::size_t kShortest = 4;      // bytes of a match
constexpr std::size_t kFarthest = 65535;  // distance of a match
constexpr std::size_t kTail = 12;         // a block ends in literals; no match begins in its last twelve bytes
constexpr std::size_t kLastLiterals = 5;

std::uint32_t four_bytes(const unsigned char* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Appends what is left of a length after the four bits in the token.
void append_length(std::string& out, std::size_t length) {
  if (length < 15) return;
  for (length -= 15; length >= 255; length -= 255) out.push_back(static_cast<char>(255));
  out.push_back(static_cast<char>(length));
}

std::size_t equal_bytes(const unsigned char* a, const unsigned char* b, const unsigned char* b_end) {
  const unsigned char* begin = b;
  for (; b + 8 <= b_end; a += 8, b += 8) {
    std::uint64_t x, y;
    std::memcpy(&x, a, 8);
    std::memcpy(&y, b, 8);
    if (x != y) return static_cast<std::size_t>(b - begin) + static_cast<std::size_t>(std::countr_zero(x ^ y)) / 8;
  }
  while (b < b_end && *a == *b) ++a, ++b;
  return static_cast<std::size_t>(b - begin);
}

// Appends literals, and a match of `length` bytes at `distance` unless the length is 0.
void append_sequence(std::string& out, std::span<const unsigned char> literals, std::size_t distance,
                     std::size_t length) {
  const std::size_t more = length ? length - kShortest : 0;
  out.push_back(static_cast<char>(std::min<std::size_t>(literals.size(), 15) << 4 | std::min<std::size_t>(more, 15)));
  append_length(out, literals.size());
  out.append(reinterpret_cast<const char*>(literals.data()), literals.size());
  if (!length) return;
  out.push_back(static_cast<char>(distance & 0xFF));
  out.push_back(static_cast<char>(distance >> 8));
  append_length(out, more);
}

}  // namespace

std::string lz4_block(std::span<const unsigned char> text) {
  std::string out;
  out.reserve(text.size() / 2 + 64);
  std::vector<std::uint32_t> seen(std::size_t{1} << kHashBits, 0);  // hash of four bytes → where they were last
  const unsigned char* data = text.data();
  std::size_t done = 0;  // bytes that are written
  std::size_t misses = 0;
  for (std::size_t at = 1; at + kTail <= text.size();) {
    const std::uint32_t word = four_bytes(data + at);
    std::uint32_t& last = seen[(word * 2654435761u) >> (32 - kHashBits)];
    std::size_t before = last;
    last = static_cast<std::uint32_t>(at);
    if (at - before > kFarthest || four_bytes(data + before) != word) {
      at += 1 + (misses++ >> 6);  // skip faster through what does not repeat
      continue;
    }
    misses = 0;
    for (; at > done && before > 0 && data[at - 1] == data[before - 1]; --at) --before;  // what was skipped
    const std::size_t length =
        kShortest + equal_bytes(data + before + kShortest, data + at + kShortest, data + text.size() - kLastLiterals);
    append_sequence(out, text.subspan(done, at - done), at - before, length);
    at += length;
    done = at;
  }
  append_sequence(out, text.subspan(done), 0, 0);
  return out;
}

}  // namespace thinktime::io
