// One number of a log: text to float64, correctly rounded, and float64 to its canonical text.
//
// Canonical text is an integer without plus or leading zero, or a decimal without exponent and without
// trailing zeros in the fraction. Any other spelling of the same value (`142.00`, `+3`, `1e3`) is
// "respelled": the scanner keeps the text and the writer prints it again.
#pragma once
#include <cstdint>
#include <string>

namespace thinktime::io {

enum class Spelling : std::uint8_t { canonical, respelled, not_a_number, overflow };

struct Number {
  double value;
  Spelling spelling;
};

// The number in [begin, end). A magnitude of 2^53 or more is an overflow, because float64 cannot represent it exactly.
Number parse_number(const char* begin, const char* end);

// Appends the canonical text: the shortest decimal that reads back as the same float64.
void append_number(std::string& out, double value);

}  // namespace thinktime::io
