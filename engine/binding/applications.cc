// Application models for Python: what happened inside jobs, in total and task by task.
#include "binding/applications.h"

#include <nanobind/stl/optional.h>

#include <algorithm>

#include "binding/checks.h"
#include "binding/module.h"
#include "binding/own_technique.h"

namespace nb = nanobind;

namespace thinktime {

namespace {

void put_inside(Columns& out, const std::vector<Inside>& all) {
  const auto column = [&](auto get) {
    return array_of<decltype(get(Inside{}))>(all.size(), [&](std::size_t i) { return get(all[i]); });
  };
  out["tasks"] = column([](const Inside& inside) { return inside.tasks; });
  out["chunks"] = column([](const Inside& inside) { return inside.chunks; });
  out["busy_s"] = column([](const Inside& inside) { return inside.busy_s; });
  out["overhead_s"] = column([](const Inside& inside) { return inside.overhead_s; });
}

// The spans of cores of jobs or runs, by their index.
template <class Get>
Columns spans_by_place(std::size_t things, Get get) {
  struct Row {
    std::int64_t row, first, cores, each;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < things; ++i)
    for (const CoreSpan& span : get(i).cores)
      rows.push_back({static_cast<std::int64_t>(i), span.first, span.cores, get(i).cores_per_unit});
  Columns out;
  out["row"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].row; });
  out["first"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].first; });
  out["cores"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].cores; });
  out["cores_per_unit"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].each; });
  return out;
}

}  // namespace

namespace {

// Null if the engine has the technique.
std::unique_ptr<Technique> own_technique(const nb::dict& values) {
  if (!values.contains("own_technique")) return nullptr;
  return std::make_unique<OwnTechnique>(nb::borrow(values["own_technique"]));
}

}  // namespace

std::unique_ptr<Loop> loop_of(const nb::dict& values) {
  auto loop = std::make_unique<Loop>(plan_of(without_objects(values)));
  if (auto own = own_technique(values)) loop->set_technique(std::move(own));
  if (!values.contains("variants")) return loop;
  for (nb::handle each : nb::cast<nb::list>(values["variants"])) {
    const auto variant = nb::cast<nb::dict>(each);
    loop->add(plan_of(without_objects(variant)), own_technique(variant));
  }
  return loop;
}

bool has_own_technique(const nb::dict& values) {
  if (values.contains("own_technique")) return true;
  if (!values.contains("variants")) return false;
  const auto variants = nb::cast<nb::list>(values["variants"]);
  return std::any_of(variants.begin(), variants.end(),
                     [](nb::handle each) { return nb::cast<nb::dict>(each).contains("own_technique"); });
}

Columns inside_of(Simulation& simulation, const std::vector<JobId>& jobs) {
  std::vector<Inside> all;
  for (const JobId id : jobs) all.push_back(simulation.spent(id));
  Columns out;
  out["row"] = array_of<std::int64_t>(
      jobs.size(), [&](std::size_t i) { return std::int64_t{simulation.system().job(jobs[i]).row}; });
  out["each_s"] =
      array_of<double>(jobs.size(), [&](std::size_t i) { return simulation.system().level()->played(jobs[i]).each; });
  put_inside(out, all);
  if (const ApplicationLevel& level = *simulation.system().level(); level.has_variants())
    out["variant"] =
        array_of<std::int64_t>(jobs.size(), [&](std::size_t i) { return std::int64_t{level.variant(jobs[i])}; });
  return out;
}

Columns cores_of(const ApplicationLevel& level, const std::vector<JobId>& jobs) {
  return spans_by_place(jobs.size(), [&](std::size_t i) -> const Played& { return level.played(jobs[i]); });
}

Columns aborted_inside(const std::vector<AbortedInside>& runs) {
  std::vector<Inside> all;
  for (const AbortedInside& run : runs) all.push_back(run.inside);
  Columns out;
  out["begin_s"] = array_of<double>(runs.size(), [&](std::size_t i) { return runs[i].begin; });
  out["from_s"] = array_of<double>(runs.size(), [&](std::size_t i) { return runs[i].from; });
  put_inside(out, all);
  return out;
}

Columns aborted_cores(const std::vector<AbortedInside>& runs) {
  return spans_by_place(runs.size(), [&](std::size_t i) -> const AbortedInside& { return runs[i]; });
}

namespace {

// Jobs to be played, as columns: row, processors, seconds of work per processor.
struct Jobs {
  Indices row, processors;
  Doubles each;
  std::optional<Indices> variant;

  std::size_t size() const { return row.shape(0); }
  Work work(std::size_t i) const {
    return {static_cast<std::uint32_t>(row.data()[i]), static_cast<Processors>(processors.data()[i]), each.data()[i],
            variant ? static_cast<std::uint32_t>(variant->data()[i]) : 0};
  }
};

// A loop without a batch simulation: for figures, traces and other simulators.
class Loops {
 public:
  explicit Loops(const nb::dict& plan) : loop_(loop_of(plan)) {}

  Output<double> tasks(std::uint32_t row, Processors processors, Time each) const {
    require(processors >= 1, "processors must be at least 1");
    require(each >= 0 && std::isfinite(each), "the work of a processor must be finite, 0 or more");
    std::vector<double> lengths;
    loop_->tasks({row, processors, each}, lengths);
    return to_numpy(std::move(lengths));
  }

  // The tasks of several jobs, by job, then in the order of assignment. `core` has the cores of the first job, one per
  // processor, then those of the next. Each job is played from `start` until its `limit`. Times of tasks are relative
  // to `start`; cores are indices among the job's cores.
  Columns show(const Indices& row, const Indices& processors, const Doubles& each, const Doubles& start,
               const Doubles& limit, const Indices& core, const std::optional<Indices>& variant) {
    const Jobs jobs{row, processors, each, variant};
    check(jobs, start, limit, core);
    if (variant) {
      require_equal_lengths({row.shape(0), variant->shape(0)});
      require_between(*variant, 0, static_cast<std::int64_t>(loop_->variants()) - 1, "the variant of a job");
    }
    std::vector<TaskEvent> events;
    std::vector<std::int64_t> owner;
    std::vector<Core> cores(core.data(), core.data() + core.shape(0));
    std::size_t first = 0;
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const auto count = static_cast<std::size_t>(processors.data()[i]);
      const std::span<const Core> own(cores.data() + first, count);
      loop_->show(jobs.work(i), start.data()[i], own, limit.data()[i], [&](const TaskEvent& event) {
        events.push_back(event);
        owner.push_back(static_cast<std::int64_t>(i));
      });
      first += count;
    }
    nb::gil_scoped_acquire acquire;
    return columns(events, std::move(owner));
  }

 private:
  static void check(const Jobs& jobs, const Doubles& start, const Doubles& limit, const Indices& core) {
    require_equal_lengths(
        {jobs.row.shape(0), jobs.processors.shape(0), jobs.each.shape(0), start.shape(0), limit.shape(0)});
    require_between(jobs.row, 0, kMostRows, "the row of a job");
    require_between(jobs.processors, 1, kMostProcessors, "the processors of a job");
    require_between(core, 0, kMostProcessors, "the number of a core");
    require_durations(jobs.each, "the work of a processor");
    require_finite(start, "the start of a job");
    require_known(limit, "the limit of a job");
    std::uint64_t cores = 0;  // fits: fewer than 2^32 jobs of fewer than 2^31 processors
    for (std::size_t i = 0; i < jobs.size(); ++i) cores += static_cast<std::uint64_t>(jobs.processors.data()[i]);
    require(cores == core.shape(0), "core must have one entry per processor");
  }

  static Columns columns(const std::vector<TaskEvent>& events, std::vector<std::int64_t> owner) {
    Columns out;
    const std::size_t n = events.size();
    out["place"] = to_numpy(std::move(owner));  // index of the job in this call
    out["task"] = array_of<std::int64_t>(n, [&](std::size_t i) { return events[i].task; });
    out["chunk"] = array_of<std::int64_t>(n, [&](std::size_t i) { return events[i].chunk; });
    out["core"] = array_of<std::int64_t>(n, [&](std::size_t i) { return static_cast<std::int64_t>(events[i].core); });
    out["start_s"] = array_of<double>(n, [&](std::size_t i) { return events[i].start; });
    out["end_s"] = array_of<double>(n, [&](std::size_t i) { return events[i].end; });
    return out;
  }

  std::unique_ptr<Loop> loop_;
};

void check_spans(const Indices& row, const Indices& node, const Indices& cores, const Doubles& start,
                 const Doubles& end, const Indices& on_node) {
  require_equal_lengths({row.shape(0), node.shape(0), cores.shape(0)});
  require_equal_lengths({start.shape(0), end.shape(0)});
  require_between(row, 0, static_cast<std::int64_t>(start.shape(0)) - 1, "the row of a job");
  require_between(node, 0, static_cast<std::int64_t>(on_node.shape(0)) - 1, "the number of a node");
  require_between(on_node, 0, kMostProcessors, "the cores of a node");
  std::int64_t all = 0;
  for (std::size_t k = 0; k < on_node.shape(0); ++k)
    require((all += on_node.data()[k]) <= kMostProcessors, "a platform must have fewer than 2^31 cores");
  for (std::size_t k = 0; k < row.shape(0); ++k) {
    const std::int64_t of = row.data()[k], asked = cores.data()[k];
    require(!std::isnan(start.data()[of]) && !std::isnan(end.data()[of]),
            "a job with nodes must have a start and an end");
    require(asked >= 0 && asked <= on_node.data()[node.data()[k]], "a job has more cores on a node than the node has");
  }
}

// Allocates the lowest free cores of each node to the jobs of a finished schedule, by (start, row). `row` ascends.
Columns place_cores(const Indices& row, const Indices& node, const Indices& cores, const Doubles& start,
                    const Doubles& end, const Indices& on_node) {
  check_spans(row, node, cores, start, end, on_node);
  const std::size_t spans = row.shape(0);
  Cores free({on_node.data(), on_node.data() + on_node.shape(0)});
  std::vector<std::vector<Core>> taken(spans);
  std::vector<std::size_t> by_start(spans), by_end(spans);
  for (std::size_t k = 0; k < spans; ++k) by_start[k] = by_end[k] = k;
  const auto at = [&](const Doubles& times, std::size_t k) { return times.data()[row.data()[k]]; };
  std::ranges::stable_sort(by_start, {}, [&](std::size_t k) { return at(start, k); });
  std::ranges::stable_sort(by_end, {}, [&](std::size_t k) { return at(end, k); });
  std::size_t ended = 0;
  for (const std::size_t k : by_start) {
    for (; ended < spans && at(end, by_end[ended]) <= at(start, k); ++ended)
      for (const Core core : taken[by_end[ended]]) free.give(core);
    free.take(static_cast<NodeId>(node.data()[k]), static_cast<std::uint32_t>(cores.data()[k]), taken[k]);
  }
  struct Row {
    std::int64_t row;
    CoreSpan span;
  };
  std::vector<Row> rows;
  for (std::size_t k = 0; k < spans; ++k)
    for (const CoreSpan& span : spans_of(taken[k])) rows.push_back({row.data()[k], span});
  Columns out;
  out["row"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].row; });
  out["first"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return std::int64_t{rows[i].span.first}; });
  out["cores"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return std::int64_t{rows[i].span.cores}; });
  return out;
}

}  // namespace
}  // namespace thinktime

void bind_applications(nb::module_& m) {
  using namespace thinktime;
  m.def("place_cores", &place_cores, nb::kw_only(), nb::arg("row"), nb::arg("node"), nb::arg("cores"),
        nb::arg("start_s"), nb::arg("end_s"), nb::arg("on_node"));
  nb::class_<Loops>(m, "Loops")
      .def(nb::init<const nb::dict&>())
      .def("tasks", &Loops::tasks, nb::arg("row"), nb::arg("processors"), nb::arg("each_s"))
      .def("show", &Loops::show, nb::kw_only(), nb::arg("row"), nb::arg("processors"), nb::arg("each_s"),
           nb::arg("start_s"), nb::arg("limit_s"), nb::arg("core"), nb::arg("variant") = nb::none());
}
