// Reads and prints one number. Most decimals take the exact path: an integer below 2^53 times or divided
// by an exact power of ten is correctly rounded by IEEE arithmetic. The rest goes to std::from_chars.
#include "io/swf_number.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace thinktime::io {
namespace {

constexpr double kTooLarge = 9007199254740992.0;  // 2^53; larger integers are rounded
constexpr int kExactDigits = 15;                  // decimals that float64 always preserves
constexpr int kLongestCanonical = 40;             // longer texts are always kept
constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kLargestPower = 22;

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

// The parts of a number's text: value = mantissa * 10^exponent while digits <= 19.
struct Parts {
  bool valid = false;
  bool negative = false;
  bool plain = true;           // no plus, no exponent, no superfluous zero or point
  int digits = 0;              // significant digits, leading zeros not counted
  int magnitude = 0;           // digits before the point, counted from the first significant one
  int exponent = 0;            // power of ten of the mantissa
  std::uint64_t mantissa = 0;  // the first 19 significant digits
  const char* unsigned_begin = nullptr;
};

constexpr int kSaturated = 100000;  // larger exponents all give infinity or zero

void take_digit(Parts& parts, char c) {
  if (parts.digits == 0 && c == '0') return;
  if (parts.digits < 19) parts.mantissa = parts.mantissa * 10 + static_cast<unsigned>(c - '0');
  if (parts.digits < kSaturated) ++parts.digits;
}

const char* read_integer_part(Parts& parts, const char* p, const char* end) {
  const char* first = p;
  for (; p < end && is_digit(*p); ++p) take_digit(parts, *p);
  if (p - first > 1 && *first == '0') parts.plain = false;
  parts.magnitude = parts.digits;
  return p;
}

const char* read_fraction(Parts& parts, const char* p, const char* end) {
  const char* first = ++p;
  for (; p < end && is_digit(*p); ++p) {
    take_digit(parts, *p);
    if (parts.digits == 0 && parts.magnitude > -kSaturated) --parts.magnitude;
    if (parts.exponent > -kSaturated) --parts.exponent;
  }
  if (p == first || p[-1] == '0') parts.plain = false;
  return p;
}

const char* read_exponent(Parts& parts, const char* p, const char* end) {
  ++p;
  bool negative = false;
  if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
  const char* first = p;
  int value = 0;
  for (; p < end && is_digit(*p); ++p)
    if (value < kSaturated) value = value * 10 + (*p - '0');
  if (p == first) return nullptr;
  parts.plain = false;
  parts.exponent += negative ? -value : value;
  parts.magnitude += negative ? -value : value;
  return p;
}

Parts split(const char* p, const char* end) {
  Parts parts;
  if (p < end && (*p == '+' || *p == '-')) {
    parts.negative = *p == '-';
    parts.plain = *p == '-';
    ++p;
  }
  parts.unsigned_begin = p;
  const char* first = p;
  p = read_integer_part(parts, p, end);
  long digits_seen = p - first;
  if (digits_seen == 0) parts.plain = false;
  if (p < end && *p == '.') {
    const char* point = p;
    p = read_fraction(parts, p, end);
    digits_seen += p - point - 1;
  }
  if (digits_seen == 0) return parts;
  if (p < end && (*p == 'e' || *p == 'E')) p = read_exponent(parts, p, end);
  parts.valid = p == end;
  return parts;
}

double magnitude_of(const Parts& parts, const char* end) {
  if (parts.digits == 0) return 0.0;
  if (parts.digits <= kExactDigits && std::abs(parts.exponent) <= kLargestPower) {
    const auto mantissa = static_cast<double>(parts.mantissa);
    return parts.exponent < 0 ? mantissa / kPowersOfTen[-parts.exponent] : mantissa * kPowersOfTen[parts.exponent];
  }
  double value = 0.0;
  const auto result = std::from_chars(parts.unsigned_begin, end, value);
  if (result.ec == std::errc::result_out_of_range) return parts.magnitude > 0 ? HUGE_VAL : 0.0;
  return value;
}

}  // namespace

Number parse_number(const char* begin, const char* end) {
  const Parts parts = split(begin, end);
  if (!parts.valid) return {0.0, Spelling::not_a_number};
  const double magnitude = magnitude_of(parts, end);
  if (magnitude >= kTooLarge) return {0.0, Spelling::overflow};
  const double value = parts.negative && magnitude != 0.0 ? -magnitude : magnitude;
  const bool minus_zero = parts.negative && magnitude == 0.0;
  const bool exact = parts.digits <= kExactDigits && end - begin <= kLongestCanonical;
  return {value, parts.plain && exact && !minus_zero ? Spelling::canonical : Spelling::respelled};
}

void append_number(std::string& out, double value) {
  char text[1100];  // the longest fixed notation of a float64 has 1077 characters
  char* end = text;
  if (value == std::trunc(value) && std::abs(value) < kTooLarge) {
    end = std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(value)).ptr;
  } else {
    end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr;
  }
  out.append(text, static_cast<std::size_t>(end - text));
}

}  // namespace thinktime::io
