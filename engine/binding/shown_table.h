// A table that changes while Python reads it: columns of 8-byte numbers in NumPy arrays, shown as read-only slices.
//
// A slice never changes after it was returned. Before a change, the table checks for every column whether Python still
// holds a slice of it; if so, the column moves to a new array and the old one remains as a snapshot. Without kept
// slices nothing is copied.
#pragma once
#include <nanobind/nanobind.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace thinktime {

class ShownTable {
 public:
  using Cell = std::uint64_t;  // the bits of a float64 or an int64
  struct Kind {
    std::string name;
    bool whole;  // int64, else float64
  };

  explicit ShownTable(const std::vector<Kind>& kinds) {
    const nanobind::object numpy = nanobind::module_::import_("numpy");
    zeros_ = numpy.attr("zeros");
    int64_ = numpy.attr("dtype")("int64");
    float64_ = numpy.attr("dtype")("float64");
    known_layout_ = layout_is_known();
    for (const Kind& kind : kinds) columns_.push_back({kind, {}, nullptr, {}, 0, 0});
    grow();
  }

  std::size_t size() const { return end_ - begin_; }
  const std::int64_t* wholes(std::size_t column) const {
    return reinterpret_cast<const std::int64_t*>(columns_[column].data) + begin_;
  }
  const double* numbers(std::size_t column) const {
    return reinterpret_cast<const double*>(columns_[column].data) + begin_;
  }

  // Inserts a row at `place`; one cell per column.
  void insert(std::size_t place, std::span<const Cell> row) {
    prepare();
    if (end_ == capacity_) make_room();
    const std::size_t at = begin_ + place;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Cell* data = columns_[c].data;
      std::memmove(data + at + 1, data + at, (end_ - at) * sizeof(Cell));
      data[at] = row[c];
    }
    ++end_;
  }

  void erase(std::size_t place) {
    prepare();
    if (place == 0) {
      ++begin_;
    } else {
      const std::size_t at = begin_ + place;
      for (Column& column : columns_)
        std::memmove(column.data + at, column.data + at + 1, (end_ - at - 1) * sizeof(Cell));
      --end_;
    }
  }

  // Removes the marked rows; `marked` is their number.
  void erase_marked(const std::vector<char>& mark, std::size_t marked) {
    prepare();
    const auto left = std::find(mark.begin(), mark.end(), 0) - mark.begin();
    if (static_cast<std::size_t>(left) >= marked) {  // they are the first rows
      begin_ += marked;
      return;
    }
    const auto first = static_cast<std::size_t>(std::find(mark.begin(), mark.end(), 1) - mark.begin());
    for (Column& column : columns_) {
      Cell* to = column.data + begin_ + first;
      for (std::size_t i = first; i < size(); ++i)
        if (!mark[i]) *to++ = column.data[begin_ + i];
    }
    end_ -= marked;
  }

  // The current column.
  nanobind::object shown(std::size_t c) {
    Column& column = columns_[c];
    shown_ = true;
    if (column.slice.is_valid() && column.from == begin_ && column.to == end_) return column.slice;
    if (column.slice.is_valid() && known_layout_ && Py_REFCNT(column.slice.ptr()) == 1) {
      fields(column.slice)->data = reinterpret_cast<char*>(column.data + begin_);
      fields(column.slice)->dimensions[0] = static_cast<Py_ssize_t>(size());
    } else {
      const auto from = nanobind::int_(begin_), to = nanobind::int_(end_);
      const auto range = nanobind::steal(PySlice_New(from.ptr(), to.ptr(), nullptr));
      column.slice = nanobind::steal(PyObject_GetItem(column.array.ptr(), range.ptr()));
      if (!column.slice.is_valid()) throw nanobind::python_error();
    }
    column.from = begin_;
    column.to = end_;
    return column.slice;
  }

  // The index of a column by name; columns() if there is none.
  std::size_t find(const char* name) const {
    std::size_t c = 0;
    while (c < columns_.size() && columns_[c].kind.name != name) ++c;
    return c;
  }
  std::size_t columns() const { return columns_.size(); }

 private:
  struct Column {
    Kind kind;
    nanobind::object array;  // of the whole capacity, read-only for Python
    Cell* data;
    nanobind::object slice;  // the last slice shown: rows [from, to) of the array
    std::size_t from, to;

    bool held_by_others() const {
      const int ours = slice.is_valid() ? 2 : 1;  // the slice refers to its array
      return Py_REFCNT(array.ptr()) > ours || (slice.is_valid() && Py_REFCNT(slice.ptr()) > 1);
    }
  };

  // The first fields of a NumPy array, part of NumPy's binary interface. A slice that Python no longer holds is updated
  // in place, because creating a new one would dominate the cost.
  struct Fields {
    PyObject head;
    char* data;
    int dimensions_count;
    Py_ssize_t* dimensions;
    Py_ssize_t* strides;
  };
  static Fields* fields(const nanobind::object& array) { return reinterpret_cast<Fields*>(array.ptr()); }
  bool layout_is_known() const {
    const nanobind::object sample = zeros_(3, float64_);
    const Fields& found = *fields(sample);
    return found.data == reinterpret_cast<char*>(memory_of(sample)) && found.dimensions_count == 1 &&
           found.dimensions[0] == 3 && found.strides[0] == sizeof(Cell);
  }

  // Before a change: slices that Python still holds keep their contents.
  void prepare() {
    if (!shown_) return;
    shown_ = false;
    for (Column& column : columns_)
      if (column.held_by_others()) renew(column, capacity_, begin_);
  }

  void make_room() {
    if (begin_ >= capacity_ / 2) {  // the first half is empty: move down
      for (Column& column : columns_) std::memmove(column.data, column.data + begin_, size() * sizeof(Cell));
      end_ -= begin_;
      begin_ = 0;
      for (Column& column : columns_) column.slice.reset();
    } else {
      grow();
    }
  }

  void grow() {
    const std::size_t more = std::max<std::size_t>(64, 2 * capacity_);
    for (Column& column : columns_) renew(column, more, 0);
    end_ -= begin_;
    begin_ = 0;
    capacity_ = more;
  }

  // Moves the column to a new array, with the same rows from `first` on.
  void renew(Column& column, std::size_t capacity, std::size_t first) {
    nanobind::object fresh = zeros_(capacity, column.kind.whole ? int64_ : float64_);
    Cell* data = memory_of(fresh);
    make_read_only(fresh);
    if (column.data) std::memcpy(data + first, column.data + begin_, size() * sizeof(Cell));
    column.slice.reset();
    column.array = std::move(fresh);
    column.data = data;
  }

  static Cell* memory_of(const nanobind::object& array) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_WRITABLE) != 0) throw nanobind::python_error();
    Cell* data = static_cast<Cell*>(buffer.buf);
    PyBuffer_Release(&buffer);
    return data;
  }
  static void make_read_only(const nanobind::object& array) { array.attr("setflags")(false); }

  nanobind::object zeros_, int64_, float64_;
  std::vector<Column> columns_;
  std::size_t begin_ = 0, end_ = 0, capacity_ = 0;
  bool known_layout_ = false;
  bool shown_ = false;  // a column was shown since the last change
};

inline ShownTable::Cell cell(double number) { return std::bit_cast<ShownTable::Cell>(number); }
inline ShownTable::Cell cell(std::int64_t number) { return std::bit_cast<ShownTable::Cell>(number); }

}  // namespace thinktime
