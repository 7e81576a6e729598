#include "binding/own_allocator.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "binding/arrays.h"
#include "binding/cluster.h"

namespace nb = nanobind;

namespace thinktime {
namespace {

// A read-only matrix.
template <class Get>
nb::object matrix(std::size_t rows, std::size_t columns, Get get) {
  Amount* data = new Amount[std::max<std::size_t>(1, rows * columns)];
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(get(i), columns, data + i * columns);
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Amount*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, const Amount, nb::ndim<2>>(data, {rows, columns}, owner));
}

}  // namespace

OwnAllocator::OwnAllocator(nb::object policy, const Nodes& nodes, const Options& options)
    : policy_(std::move(policy)),
      place_(policy_.attr("place")),
      adds_up_(nb::cast<bool>(policy_.attr("adds_up"))),
      columns_(options.columns()),
      resources_(nodes.resources()) {
  for (const nb::handle name : policy_.attr("columns")) places_.push_back(columns_->place(nb::cast<std::string>(name)));
}

OwnAllocator::~OwnAllocator() {
  nb::gil_scoped_acquire acquire;
  place_.reset();
  policy_.reset();
}

double OwnAllocator::rank(const Amount* free, const Amount* capacity) const {
  free_.insert(free_.end(), free, free + resources_);
  capacity_.insert(capacity_.end(), capacity, capacity + resources_);
  return static_cast<double>(free_.size() / resources_ - 1);
}

bool OwnAllocator::choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const {
  placement.clear();
  std::int64_t fit = 0;
  for (const Roomy& each : roomy) fit += each.units;
  if (fit >= need.units) {  // otherwise the policy need not be called
    const nb::object answer = asked(roomy, need);
    if (!answer.is_none()) {
      const auto nodes = nb::cast<Indices>(answer[0]), units = nb::cast<Indices>(answer[1]);
      for (std::size_t i = 0; i < nodes.shape(0); ++i)
        put(placement, static_cast<NodeId>(nodes.data()[i]), static_cast<Processors>(units.data()[i]));
    }
  }
  free_.clear();
  capacity_.clear();
  return !placement.empty();
}

nb::object OwnAllocator::asked(const std::vector<Roomy>& roomy, const Need& need) const {
  const std::size_t n = roomy.size();
  const auto note = [&](const std::vector<Amount>& notes, std::size_t i) {
    return &notes[static_cast<std::size_t>(roomy[i].rank) * resources_];
  };
  nb::list attributes;
  for (const std::size_t place : places_) attributes.append(columns_->at(place, need.id));
  return place_(need.row, attributes, array_of<Amount>(need.unit.size(), [&](std::size_t r) { return need.unit[r]; }),
                need.units, need.from, need.until,
                array_of<Amount>(n, [&](std::size_t i) { return Amount{roomy[i].node}; }),
                array_of<Amount>(n, [&](std::size_t i) { return Amount{roomy[i].units}; }),
                matrix(n, resources_, [&](std::size_t i) { return note(free_, i); }),
                matrix(n, resources_, [&](std::size_t i) { return note(capacity_, i); }));
}

}  // namespace thinktime
