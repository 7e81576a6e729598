// An application model outside the engine: called at each start, it returns the duration of the job. Each call takes
// the GIL.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

#include "binding/arrays.h"
#include "system/application.h"

namespace thinktime {

class OwnApplication : public Application {
 public:
  // `level.play(row, each_s, start_s, cores, limit_s)` returns (duration_s, tasks, chunks, busy_s, overhead_s,
  // idle_from_s), the last by core, or None if all cores are busy to the end. `each_s` is the work per core.
  explicit OwnApplication(nanobind::object level) : level_(std::move(level)), play_(level_.attr("play")) {}
  ~OwnApplication() override {
    nanobind::gil_scoped_acquire acquire;
    play_.reset();
    level_.reset();
  }

  Inside play(const Work& work, Time start, std::span<const Core> cores, Time limit) override {
    nanobind::gil_scoped_acquire acquire;
    const auto numbers = array_of<std::int64_t>(cores.size(), [&](std::size_t i) { return std::int64_t{cores[i]}; });
    const auto answer = nanobind::cast<nanobind::tuple>(play_(work.row, work.each, start, numbers, limit));
    const auto seconds = [&](std::size_t k) { return nanobind::cast<double>(answer[k]); };
    const auto count = [&](std::size_t k) { return nanobind::cast<std::int64_t>(answer[k]); };
    Inside inside{seconds(0), count(1), count(2), seconds(3), seconds(4)};
    keep_idle(answer[5], inside.duration, cores.size());
    return inside;
  }
  std::span<const Time> idle_from() const override { return idle_from_; }

 private:
  using Times = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

  void keep_idle(const nanobind::handle& given, Time duration, std::size_t cores) {
    idle_from_.assign(cores, duration);
    if (given.is_none()) return;
    const auto times = nanobind::cast<Times>(given);
    if (times.shape(0) != cores) throw std::invalid_argument("an application level must return one idle time per core");
    idle_from_.assign(times.data(), times.data() + cores);
  }

  nanobind::object level_, play_;
  std::vector<Time> idle_from_;
};

}  // namespace thinktime
