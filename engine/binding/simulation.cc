// The simulation as Python sees it: arrays in, arrays out, the GIL released while it runs.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "binding/applications.h"
#include "binding/arrays.h"
#include "binding/checks.h"
#include "binding/cluster.h"
#include "binding/module.h"
#include "binding/options.h"
#include "binding/own_plugin.h"
#include "binding/own_scheduler.h"
#include "binding/own_users.h"
#include "binding/plans.h"
#include "checks/promises.h"
#include "core/random.h"
#include "io/resident_memory.h"
#include "simulation/simulation.h"
#include "users/reacting.h"
#include "users/rigid.h"

namespace nb = nanobind;
using namespace thinktime;

namespace {

// Nobody for rigid users, whose plan is the workload itself.
std::unique_ptr<UserModel> users_of(const std::string& name, const nb::dict& plan) {
  if (name == "rigid") return nullptr;
  if (plan.contains("model")) return std::make_unique<OwnUsers>(nb::borrow(plan["model"]));
  return make_users(name, plan_of(plan));
}

std::unique_ptr<Plugin> plugin_of(const std::string& name, const nb::dict& values) {
  if (values.contains("behaviour")) return std::make_unique<OwnPlugin>(nb::borrow(values["behaviour"]));
  return make_plugin(name, plan_of(values));
}

Options allocator_options(const std::optional<nb::dict>& platform) {
  return platform ? options_of(nb::cast<nb::dict>((*platform)["options"])) : Options{};
}

Options scheduler_options(const nb::dict& values, bool nodes, const Published& published) {
  Options options = options_of(values);
  options.set("nodes", nodes);
  options.set("values", published);
  return options;
}

std::unique_ptr<Scheduler> scheduler_of(const std::string& name, const nb::dict& values, bool nodes,
                                        const Published& published) {
  const Options options = scheduler_options(values, nodes, published);
  if (values.contains("policy")) return std::make_unique<OwnScheduler>(nb::borrow(values["policy"]), options);
  return make_scheduler(name, options);
}

// The GIL is released while a simulation runs, so another thread may come; it is sent away.
class Turn {
 public:
  explicit Turn(std::atomic<bool>& busy) : busy_(busy) {
    if (busy_.exchange(true)) throw std::runtime_error("this simulation is busy in another thread: use one a thread");
  }
  ~Turn() { busy_ = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<bool>& busy_;
};

// Without the GIL, if the simulation can do without: a scheduler in Python is called so often that taking it each time
// would cost more than the call.
class Unlocked {
 public:
  explicit Unlocked(bool release) {
    if (release) release_.emplace();
  }

 private:
  std::optional<nb::gil_scoped_release> release_;
};

// A simulation: the job table, the users, the loop and the arrays that come out.
class Run {
 public:
  Run(Processors processors, const std::string& scheduler, const nb::dict& options, SameInstant same_instant,
      Overrun overrun, double speed, bool keep_timeline, bool keep_jobs, bool keep_decisions, const std::string& users,
      const nb::dict& plan, const std::optional<nb::dict>& platform, const std::optional<nb::dict>& application)
      : reacting_(users_of(users, plan)),
        published_(std::make_shared<Values>()),
        simulation_(SystemState(processors, cluster_of(platform, allocator_options(platform)), published_),
                    Rules{same_instant, overrun, speed, keep_timeline, keep_jobs, keep_decisions, &resident_bytes},
                    scheduler_of(scheduler, options, platform.has_value(), published_),
                    reacting_ ? *reacting_ : rigid_),
        keep_jobs_(keep_jobs),
        in_python_(options.contains("policy") || (platform && platform->contains("policy"))) {
    require(processors >= 0 && speed > 0 && std::isfinite(speed), "a machine has processors, and a speed above 0");
    simulation_.add_level(level_of(application, overrun == Overrun::kill));
    if (reacting_ && !keep_jobs) throw std::invalid_argument("users who react need all jobs to be kept");
  }

  // Appends jobs in (submit, original order); rows are counted on from those given before. `labels` are numbers that
  // the engine carries along for a job that will be forgotten: what the caller wants back with it. Users who react
  // decide on the submit times themselves. On a cluster each job has the number of its shape in `shapes`, -1 if it is
  // refused when it is submitted, and perhaps takes of pools.
  void load(const Doubles& submit, const Doubles& run, const Doubles& estimate, const Counts& processors,
            const std::vector<Doubles>& labels, const std::optional<Amounts>& shapes,
            const std::optional<Amounts>& shape, const std::optional<Amounts>& pool_start,
            const std::optional<Amounts>& pool, const std::optional<Amounts>& pool_amount) {
    require_equal_lengths({submit.shape(0), run.shape(0), estimate.shape(0), processors.shape(0)});
    for (const Doubles& numbers : labels) require_equal_lengths({submit.shape(0), numbers.shape(0)});
    check_jobs(submit, run, estimate, processors);
    const Turn turn(busy_);
    nb::gil_scoped_release release;
    const NodeRequests on_nodes{shapes, shape, pool_start, pool, pool_amount};
    const std::vector<std::uint32_t> known_shapes = add_shapes(on_nodes, submit.shape(0));
    if (rows_ == 0) simulation_.expect(submit.shape(0));
    for (std::size_t i = 0; i < submit.shape(0); ++i) {
      const Time known = reacting_ ? kNever : submit.data()[i];
      const JobId id = simulation_.add({known, run.data()[i], estimate.data()[i], processors.data()[i], rows_++});
      if (!reacting_) rigid_.plan(id, known);
      if (simulation_.cluster()) add_on_nodes(id, on_nodes, known_shapes, i);
      if (!labels.empty()) label(id, labels, i);
    }
  }
  void close() { rigid_.close(); }
  std::vector<OwnPlugin*> own_plugins() {
    std::vector<OwnPlugin*> own;
    if (!simulation_.plugins()) return own;
    for (const auto& plugin : simulation_.plugins()->all())
      if (auto* mine = dynamic_cast<OwnPlugin*>(plugin.get())) own.push_back(mine);
    return own;
  }
  OwnScheduler* own_scheduler() { return dynamic_cast<OwnScheduler*>(&simulation_.scheduler()); }

  // Closures known beforehand: nodes first .. first + nodes - 1 from `from` until `to`, except for the owner's jobs.
  void add_closures(const Amounts& first, const Amounts& nodes, const Doubles& from, const Doubles& to,
                    const Amounts& owner) {
    require_equal_lengths({first.shape(0), nodes.shape(0), from.shape(0), to.shape(0), owner.shape(0)});
    require(simulation_.cluster(), "a calendar needs a cluster of nodes");
    const auto known = static_cast<std::int64_t>(simulation_.cluster()->nodes().size());
    require_between(first, 0, known - 1, "the first node that is closed");
    require_between(nodes, 1, known, "the number of nodes that are closed");
    require_between(owner, 0, kMostRows, "the number of an owner");
    require_known(from, "the begin of a closure");
    require_known(to, "the end of a closure");
    std::vector<Closing> all;
    for (std::size_t i = 0; i < first.shape(0); ++i) {
      require(first.data()[i] + nodes.data()[i] <= known, "a closure has nodes beyond those of the cluster");
      all.push_back({static_cast<NodeId>(first.data()[i]), static_cast<NodeId>(nodes.data()[i]), from.data()[i],
                     to.data()[i], static_cast<Owner>(owner.data()[i])});
    }
    simulation_.cluster()->calendar().close(std::move(all));
  }
  void set_owners(const Amounts& row, const Amounts& owner) {
    require_equal_lengths({row.shape(0), owner.shape(0)});
    require(simulation_.cluster(), "reservations need a cluster of nodes");
    require_between(row, 0, std::int64_t{rows_} - 1, "the row of a job");
    require_between(owner, 0, kMostRows, "the number of an owner");
    for (std::size_t i = 0; i < row.shape(0); ++i)
      simulation_.cluster()->set_owner(static_cast<JobId>(row.data()[i]), static_cast<Owner>(owner.data()[i]));
  }
  // After the jobs and the calendar: (name, arrays and options) of each plugin.
  void add_plugins(const std::vector<std::pair<std::string, nb::dict>>& specs) {
    std::vector<std::unique_ptr<Plugin>> plugins;
    for (const auto& [name, values] : specs) plugins.push_back(plugin_of(name, values));
    simulation_.add_plugins(std::move(plugins));
  }
  // What plugins have published, by name.
  nb::dict values() const {
    const Values& all = simulation_.system().values();
    nb::dict out;
    for (std::size_t k = 0; k < all.names().size(); ++k) out[all.names()[k].c_str()] = all[k];
    return out;
  }
  // What each plugin found so far: columns by name.
  nb::list reports() {
    const Turn turn(busy_);
    simulation_.finish();
    nb::list all;
    if (!simulation_.plugins()) return all;
    for (const auto& plugin : simulation_.plugins()->all()) {
      Report report;
      plugin->report(report);
      nb::dict columns;
      for (const auto& [name, values] : report)
        columns[name.c_str()] = array_of<double>(values.size(), [&](std::size_t i) { return values[i]; });
      all.append(columns);
    }
    return all;
  }
  // Runs that were aborted, in order; and where they were, span by span, by the number of the run.
  nb::dict attempts() const {
    const Turn turn(busy_);
    const std::vector<Attempt>& all = simulation_.attempts();
    struct Row {
      std::int64_t attempt, first, nodes, units;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const Span& span : all[i].placement)
        rows.push_back({static_cast<std::int64_t>(i), span.first, span.nodes, span.units});
    nb::dict out;
    out["row"] =
        array_of<std::int64_t>(all.size(), [&](std::size_t i) { return static_cast<std::int64_t>(all[i].row); });
    out["start_s"] = array_of<double>(all.size(), [&](std::size_t i) { return all[i].start; });
    out["end_s"] = array_of<double>(all.size(), [&](std::size_t i) { return all[i].end; });
    out["processors"] =
        array_of<std::int64_t>(all.size(), [&](std::size_t i) { return std::int64_t{all[i].processors}; });
    out["lost"] =
        array_of<std::int64_t>(all.size(), [&](std::size_t i) { return std::int64_t{all[i].fate == Fate::lost}; });
    out["saved_s"] = array_of<double>(all.size(), [&](std::size_t i) { return all[i].saved; });
    out["attempt"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].attempt; });
    out["first"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].first; });
    out["nodes"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].nodes; });
    out["units"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].units; });
    return out;
  }

  // What happened inside the jobs, the cores they had, and those given back early; nothing without applications.
  nb::dict inside() {
    const Turn turn(busy_);
    nb::dict out;
    if (!simulation_.system().level()) return out;
    const std::vector<JobId> all = all_jobs();
    out["jobs"] = inside_of(simulation_, all);
    out["cores"] = cores_of(*simulation_.system().level(), all);
    out["aborted"] = aborted_inside(*simulation_.system().level());
    out["aborted_cores"] = aborted_cores(*simulation_.system().level());
    out["gifts"] = gifts_of(*simulation_.system().level());
    return out;
  }

  bool step() {
    const Turn turn(busy_);
    return simulation_.step();
  }
  std::uint64_t run(Time until, std::uint64_t max_rounds) {
    const Turn turn(busy_);
    const Unlocked unlocked(!in_python_);
    return simulation_.run(until, max_rounds);
  }
  bool run_for(Time until, double seconds) {
    const Turn turn(busy_);
    const Unlocked unlocked(!in_python_);
    return simulation_.run_for(until, seconds);
  }

  Time now() const { return simulation_.system().now(); }
  Time next() const { return simulation_.next(); }
  Processors free() const { return simulation_.system().unused(); }
  nb::object queue() const {
    const Turn turn(busy_);
    std::vector<JobId> jobs;
    simulation_.scheduler().waiting(simulation_.system(), jobs);
    return rows_of(jobs);
  }
  nb::object running() const {
    const Turn turn(busy_);
    std::vector<JobId> jobs;
    simulation_.system().running_by_end(jobs);
    return rows_of(jobs);
  }

  nb::dict jobs() const {
    const Turn turn(busy_);
    if (!keep_jobs_) throw std::logic_error("jobs that have finished were handed out: this simulation keeps none");
    const std::vector<JobId> all = all_jobs();
    nb::dict out = columns(all);
    if (simulation_.plugins())
      out["overhead_s"] =
          array_of<double>(all.size(), [&](std::size_t i) { return simulation_.system().overhead(all[i]); });
    return out;
  }
  std::size_t finished_jobs() const { return simulation_.finished().size(); }
  nb::dict take_finished() {
    const Turn turn(busy_);
    const std::vector<JobId> finished = simulation_.finished();
    nb::dict out = columns(finished);
    for (std::size_t k = 0; k < labels_.size(); ++k)
      out[nb::int_(k)] = array_of<double>(finished.size(), [&](std::size_t i) { return labels_[k][finished[i]]; });
    if (simulation_.cluster()) out["placements"] = spans(finished);
    if (simulation_.system().level()) {
      out["inside"] = inside_of(simulation_, finished);
      out["cores"] = cores_of(*simulation_.system().level(), finished);
    }
    simulation_.forget_finished();
    return out;
  }
  nb::dict take_timeline(bool all) {
    const Turn turn(busy_);
    const std::vector<TimelineRow> rows = simulation_.timeline().take(all);
    nb::dict out;
    const auto column = [&](const char* name, auto get) {
      out[name] = array_of<decltype(get(rows[0]))>(rows.size(), [&](std::size_t i) { return get(rows[i]); });
    };
    column("time_s", [](const TimelineRow& r) { return r.time; });
    column("queued_jobs", [](const TimelineRow& r) { return r.queued_jobs; });
    column("queued_processors", [](const TimelineRow& r) { return r.queued_processors; });
    column("running_jobs", [](const TimelineRow& r) { return r.running_jobs; });
    column("used_processors", [](const TimelineRow& r) { return r.used_processors; });
    return out;
  }

  // Where the jobs that have started are or were, span by span.
  nb::dict placements() const {
    const Turn turn(busy_);
    return spans(all_jobs());
  }
  nb::object node_free() const {
    const Turn turn(busy_);
    if (!simulation_.system().cluster()) throw std::logic_error("a counted machine has no nodes");
    const std::vector<Amount>& free = simulation_.system().cluster()->nodes().all_free();
    return array_of<std::int64_t>(free.size(), [&](std::size_t i) { return free[i]; });
  }

  nb::dict decisions() const {
    const Turn turn(busy_);
    const Decisions& rows = simulation_.decisions();
    nb::dict out;
    out["time_s"] = array_of<double>(rows.size(), [&](std::size_t i) { return rows[i].time; });
    out["queued_jobs"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].queued_jobs; });
    out["decision_s"] = array_of<double>(rows.size(), [&](std::size_t i) { return rows[i].seconds; });
    out["rest_s"] = array_of<double>(rows.size(), [&](std::size_t i) { return rows[i].rest; });
    out["memory_bytes"] = array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return rows[i].memory_bytes; });
    return out;
  }

  nb::dict statistics() const {
    const Statistics& s = simulation_.statistics();
    nb::dict out;
    out["events"] = s.events;
    out["passes"] = s.passes;
    out["instants"] = s.instants;
    out["decision_s"] =
        s.timed_passes ? s.timed_s / static_cast<double>(s.timed_passes) * static_cast<double>(s.passes) : 0.0;
    out["timed_passes"] = s.timed_passes;
    return out;
  }

 private:
  void check_jobs(const Doubles& submit, const Doubles& run, const Doubles& estimate, const Counts& processors) const {
    require(static_cast<std::int64_t>(submit.shape(0)) <= kMostRows - rows_, "a simulation has fewer than 2^32 jobs");
    require_known(submit, "a submit time");
    require_durations(run, "a run time");
    require_numbers(estimate, [](double value) { return value >= 0; }, "an estimate", "0 or more");
    require_between(processors, 1, kMostProcessors, "the processors of a job");
  }

  std::vector<JobId> all_jobs() const {
    std::vector<JobId> all(rows_);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  // The spans of these jobs, each with the place of its job in the list.
  nb::dict spans(const std::vector<JobId>& jobs) const {
    struct Row {
      std::int64_t row;
      Span span;
    };
    std::vector<Row> rows;
    const Cluster* cluster = simulation_.system().cluster();
    for (std::size_t i = 0; cluster && i < jobs.size(); ++i)
      if (simulation_.system().job(jobs[i]).start != kNever)  // one that was aborted and waits has none
        for (const Span& span : cluster->started_on(jobs[i])) rows.push_back({static_cast<std::int64_t>(i), span});
    const auto column = [&](auto get) {
      return array_of<std::int64_t>(rows.size(),
                                    [&](std::size_t i) { return static_cast<std::int64_t>(get(rows[i])); });
    };
    nb::dict out;
    out["row"] = column([](const Row& row) { return row.row; });
    out["first"] = column([](const Row& row) { return row.span.first; });
    out["nodes"] = column([](const Row& row) { return row.span.nodes; });
    out["units"] = column([](const Row& row) { return row.span.units; });
    return out;
  }

  nb::object rows_of(const std::vector<JobId>& jobs) const {
    return array_of<std::int64_t>(
        jobs.size(), [&](std::size_t i) { return static_cast<std::int64_t>(simulation_.system().job(jobs[i]).row); });
  }

  // The engine's number for each shape of a load.
  std::vector<std::uint32_t> add_shapes(const NodeRequests& requests, std::size_t jobs) {
    if (!simulation_.cluster()) return {};
    requests.check(jobs);
    return simulation_.add_shapes({requests.shapes->data(), requests.shapes->shape(0)});
  }

  void add_on_nodes(JobId id, const NodeRequests& requests, const std::vector<std::uint32_t>& shapes, std::size_t i) {
    const std::int64_t shape = requests.shape->data()[i];
    if (shape >= static_cast<std::int64_t>(shapes.size()))
      throw std::invalid_argument("a job has a shape that is not known");
    simulation_.cluster()->add_job(id, shape < 0 ? Cluster::kRefused : shapes[static_cast<std::size_t>(shape)],
                                   requests.pools_of(i));
  }

  void label(JobId id, const std::vector<Doubles>& labels, std::size_t i) {
    labels_.resize(labels.size());
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (id >= labels_[k].size()) labels_[k].resize(id + 1);
      labels_[k][id] = labels[k].data()[i];
    }
  }

  nb::dict columns(const std::vector<JobId>& ids) const {
    const auto known = [](Time time) { return time == kNever ? std::numeric_limits<double>::quiet_NaN() : time; };
    const auto column = [&](auto get) {
      return array_of<decltype(get(simulation_.system().job(0)))>(
          ids.size(), [&](std::size_t i) { return get(simulation_.system().job(ids[i])); });
    };
    nb::dict out;
    out["row"] = column([](const Job& job) { return static_cast<std::int64_t>(job.row); });
    out["submit_s"] = column([&](const Job& job) { return known(job.submit); });
    out["start_s"] = column([&](const Job& job) { return known(job.start); });
    out["end_s"] = column([&](const Job& job) { return job.state <= State::killed ? job.end : known(kNever); });
    out["run_s"] = column([](const Job& job) { return job.duration; });
    out["estimate_s"] = column([](const Job& job) { return job.estimate; });
    out["processors"] = array_of<double>(ids.size(), [&](std::size_t i) {
      const Processors given_back = running_without(ids[i]);
      return static_cast<double>(simulation_.system().job(ids[i]).processors + given_back);
    });
    out["status"] = column([](const Job& job) {
      return static_cast<std::uint8_t>(std::min(job.state, State::pending));  // whatever is not over: unfinished
    });
    return out;
  }

  // Processors that a job has given back while it goes on.
  Processors running_without(JobId id) const {
    if (!simulation_.system().level() || simulation_.system().job(id).state != State::running) return 0;
    return simulation_.system().level()->played(id).given_back;
  }

  Rigid rigid_;
  std::unique_ptr<UserModel> reacting_;  // nobody if users are rigid
  Published published_;                  // what plugins publish and keys look at
  Simulation simulation_;
  std::uint32_t rows_ = 0;
  bool keep_jobs_;
  bool in_python_;  // the scheduler is Python's: the GIL stays ours
  mutable std::atomic<bool> busy_ = false;
  std::vector<std::vector<double>> labels_;  // by label, then by slot
};

// Python's collector of cycles goes through a simulation to the policy that it calls.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const OwnScheduler* own = nb::inst_ptr<Run>(self)->own_scheduler();
  for (OwnPlugin* plugin : nb::inst_ptr<Run>(self)->own_plugins())
    if (const int stop = plugin->visit(visit, arg)) return stop;
  return own ? own->visit(visit, arg) : 0;
}

int clear(PyObject* self) {
  if (OwnScheduler* own = nb::inst_ptr<Run>(self)->own_scheduler()) own->let_go();
  return 0;
}

PyType_Slot kCollected[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

// The first uniform numbers of a stream, for the test that they are NumPy's.
nb::object uniforms(std::uint64_t low, std::uint64_t high, std::size_t n) {
  Philox draws(low, high);
  return array_of<double>(n, [&](std::size_t) { return draws.uniform(); });
}

nb::object easy_promises(const Doubles& submit, const Doubles& start, const Doubles& end, const Doubles& expected_end,
                         const Counts& processors, Processors machine) {
  require_equal_lengths({submit.shape(0), start.shape(0), end.shape(0), expected_end.shape(0), processors.shape(0)});
  for (const Doubles* times : {&submit, &start, &end, &expected_end}) require_known(*times, "a time");
  require_between(processors, 1, kMostProcessors, "the processors of a job");
  require(machine >= 0, "a machine has 0 processors or more");
  std::vector<Scheduled> jobs(submit.shape(0));
  for (std::size_t i = 0; i < jobs.size(); ++i)
    jobs[i] = {submit.data()[i], start.data()[i], end.data()[i], expected_end.data()[i], processors.data()[i]};
  std::vector<Time> promised;
  {
    nb::gil_scoped_release release;
    promised = promised_starts(jobs, machine);
  }
  return array_of<double>(promised.size(), [&](std::size_t i) { return promised[i]; });
}

}  // namespace

void bind_simulation(nb::module_& m) {
  nb::enum_<SameInstant>(m, "SameInstant")
      .value("batch", SameInstant::batch)
      .value("each_submit_first", SameInstant::each_submit_first)
      .value("each_end_first", SameInstant::each_end_first);
  nb::enum_<Overrun>(m, "Overrun")
      .value("extend", Overrun::extend)
      .value("extend_blind", Overrun::extend_blind)
      .value("kill", Overrun::kill);
  m.def("scheduler_names", &RegisterScheduler::names);
  m.def("allocator_names", &RegisterAllocator::names);
  m.def("uniforms", &uniforms, nb::arg("low"), nb::arg("high"), nb::arg("n"));
  m.def("easy_promises", &easy_promises, nb::kw_only(), nb::arg("submit"), nb::arg("start"), nb::arg("end"),
        nb::arg("expected_end"), nb::arg("processors"), nb::arg("machine"));
  nb::class_<Run>(m, "Run", nb::type_slots(kCollected))
      .def(nb::init<Processors, const std::string&, const nb::dict&, SameInstant, Overrun, double, bool, bool, bool,
                    const std::string&, const nb::dict&, const std::optional<nb::dict>&,
                    const std::optional<nb::dict>&>(),
           nb::kw_only(), nb::arg("processors"), nb::arg("scheduler"), nb::arg("options"), nb::arg("same_instant"),
           nb::arg("overrun"), nb::arg("speed"), nb::arg("keep_timeline"), nb::arg("keep_jobs"),
           nb::arg("keep_decisions") = false, nb::arg("users") = "rigid", nb::arg("plan") = nb::dict(),
           nb::arg("platform") = nb::none(), nb::arg("application") = nb::none())
      .def("load", &Run::load, nb::arg("submit"), nb::arg("run"), nb::arg("estimate"), nb::arg("processors"),
           nb::arg("labels") = std::vector<Doubles>{}, nb::arg("shapes") = nb::none(), nb::arg("shape") = nb::none(),
           nb::arg("pool_start") = nb::none(), nb::arg("pool") = nb::none(), nb::arg("pool_amount") = nb::none())
      .def("close", &Run::close)
      .def("add_closures", &Run::add_closures, nb::kw_only(), nb::arg("first"), nb::arg("nodes"), nb::arg("start"),
           nb::arg("end"), nb::arg("owner"))
      .def("set_owners", &Run::set_owners, nb::kw_only(), nb::arg("row"), nb::arg("owner"))
      .def("add_plugins", &Run::add_plugins)
      .def("reports", &Run::reports)
      .def_prop_ro("values", &Run::values)
      .def("attempts", &Run::attempts)
      .def("inside", &Run::inside)
      .def("step", &Run::step)
      .def("run", &Run::run, nb::arg("until"), nb::arg("max_rounds"))
      .def("run_for", &Run::run_for, nb::arg("until"), nb::arg("seconds"))
      .def_prop_ro("now", &Run::now)
      .def_prop_ro("next", &Run::next)
      .def_prop_ro("free", &Run::free)
      .def_prop_ro("queue", &Run::queue)
      .def_prop_ro("running", &Run::running)
      .def("jobs", &Run::jobs)
      .def("take_finished", &Run::take_finished)
      .def_prop_ro("finished_jobs", &Run::finished_jobs)
      .def("take_timeline", &Run::take_timeline, nb::arg("all"))
      .def("placements", &Run::placements)
      .def_prop_ro("node_free", &Run::node_free)
      .def("decisions", &Run::decisions)
      .def("statistics", &Run::statistics);
}
