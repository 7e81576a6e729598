// Self-scheduling techniques, one request at a time: for tests and for other simulators.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "applications/technique.h"
#include "binding/arrays.h"
#include "binding/module.h"
#include "binding/options.h"

namespace nb = nanobind;
using namespace thinktime;

namespace {

// A technique with its current loop.
class BoundTechnique {
 public:
  BoundTechnique(const std::string& name, const nb::dict& options)
      : technique_(make_technique(name, options_of(options))) {}

  void begin(std::int64_t tasks, std::int32_t cores, double mean_s, double deviation_s, double overhead_s,
             const Doubles& speeds, std::uint64_t key_low, std::uint64_t key_high) {
    if (tasks < 1 || cores < 1) throw std::invalid_argument("a loop must have at least one task and one core");
    if (speeds.shape(0) != 0 && speeds.shape(0) != static_cast<std::size_t>(cores))
      throw std::invalid_argument("speeds must have one entry per core, or none");
    speeds_.assign(speeds.data(), speeds.data() + speeds.shape(0));
    cores_ = cores;
    technique_->begin({tasks, cores, mean_s, deviation_s, overhead_s, speeds_, key_low, key_high});
  }

  std::int64_t chunk(std::int32_t core, std::int64_t remaining) {
    check(core);
    if (remaining < 1) throw std::invalid_argument("no tasks remain");
    return std::clamp<std::int64_t>(technique_->chunk(core, remaining), 1, remaining);
  }

  void done(std::int32_t core, std::int64_t tasks, double work_s, double total_s) {
    check(core);
    technique_->done(core, tasks, work_s, total_s);
  }

  bool adaptive() const { return technique_->adaptive(); }

 private:
  void check(std::int32_t core) const {
    if (core < 0 || core >= cores_) throw std::invalid_argument("the loop has no core " + std::to_string(core));
  }

  std::unique_ptr<Technique> technique_;
  std::vector<double> speeds_;
  std::int32_t cores_ = 0;  // 0 before begin
};

// The chunks in the order of requests, for techniques that do not depend on the core.
Output<std::int64_t> chunk_sequence(const std::string& name, const nb::dict& options, std::int64_t tasks,
                                    std::int32_t cores, double mean_s, double deviation_s, double overhead_s,
                                    std::uint64_t key_low, std::uint64_t key_high) {
  const auto technique = make_technique(name, options_of(options));
  if (technique->adaptive())
    throw std::invalid_argument(name + " depends on the requesting core: it has no fixed sequence");
  if (tasks < 1 || cores < 1) throw std::invalid_argument("a loop must have at least one task and one core");
  technique->begin({tasks, cores, mean_s, deviation_s, overhead_s, {}, key_low, key_high});
  std::vector<std::int64_t> sizes;
  for (std::int64_t remaining = tasks; remaining > 0; remaining -= sizes.back())
    sizes.push_back(std::clamp<std::int64_t>(technique->chunk(0, remaining), 1, remaining));
  return to_numpy(std::move(sizes));
}

}  // namespace

void bind_techniques(nb::module_& m) {
  using nb::literals::operator""_a;
  m.def("technique_names", &RegisterTechnique::names);
  m.def("chunk_sequence", &chunk_sequence, "name"_a, "options"_a, "tasks"_a, "cores"_a, "mean_s"_a = 1.0,
        "deviation_s"_a = 0.0, "overhead_s"_a = 0.0, "key_low"_a = 0, "key_high"_a = 0);
  nb::class_<BoundTechnique>(m, "Technique")
      .def(nb::init<const std::string&, const nb::dict&>(), "name"_a, "options"_a = nb::dict())
      .def("begin", &BoundTechnique::begin, "tasks"_a, "cores"_a, "mean_s"_a, "deviation_s"_a, "overhead_s"_a,
           "speeds"_a, "key_low"_a = 0, "key_high"_a = 0)
      .def("chunk", &BoundTechnique::chunk, "core"_a, "remaining"_a)
      .def("done", &BoundTechnique::done, "core"_a, "tasks"_a, "work_s"_a, "total_s"_a)
      .def_prop_ro("adaptive", &BoundTechnique::adaptive);
}
