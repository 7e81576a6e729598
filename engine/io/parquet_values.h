// Encodings of Parquet's numbers, and the compression of its pages. https://parquet.apache.org/docs/file-format/
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace thinktime::io {

// DELTA_BINARY_PACKED: the first number, then differences with as few bits as 32 of them need.
std::string delta_packed(std::span<const std::int64_t> values);

// BYTE_STREAM_SPLIT: the first bytes of all numbers, then the second bytes, …; so equal bytes become neighbours.
std::string byte_stream_split(std::span<const double> values);

// LZ4_RAW: one block of the LZ4 format, which is Parquet's codec 7.
// https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
std::string lz4_block(std::span<const unsigned char> text);

}  // namespace thinktime::io
