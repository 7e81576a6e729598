// The module's Run class and the enums of its rules.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "binding/module.h"
#include "binding/run.h"
#include "core/random.h"

namespace nb = nanobind;
using namespace thinktime;

namespace {

// Lets Python's garbage collector follow a simulation to the policies that it calls.
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

// The first uniform numbers of a stream, for the test that they equal NumPy's.
Output<double> uniforms(std::uint64_t low, std::uint64_t high, std::size_t n) {
  Philox draws(low, high);
  return array_of<double>(n, [&](std::size_t) { return draws.uniform(); });
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
  nb::class_<Run>(m, "Run", nb::type_slots(kCollected))
      .def(nb::init<Processors, const std::string&, const nb::dict&, SameInstant, Overrun, double, bool, bool, bool,
                    const std::string&, const nb::dict&, const std::optional<nb::dict>&, const std::optional<nb::dict>&,
                    const std::vector<std::string>&>(),
           nb::kw_only(), nb::arg("processors"), nb::arg("scheduler"), nb::arg("options"), nb::arg("same_instant"),
           nb::arg("overrun"), nb::arg("speed"), nb::arg("keep_timeline"), nb::arg("keep_jobs"),
           nb::arg("keep_decisions") = false, nb::arg("users") = "rigid", nb::arg("plan") = nb::dict(),
           nb::arg("platform") = nb::none(), nb::arg("application") = nb::none(),
           nb::arg("columns") = std::vector<std::string>{})
      .def("load", &Run::load, nb::arg("submit"), nb::arg("run"), nb::arg("estimate"), nb::arg("processors"),
           nb::arg("labels") = std::vector<Doubles>{}, nb::arg("columns") = std::vector<Doubles>{},
           nb::arg("shapes") = nb::none(), nb::arg("shape") = nb::none(), nb::arg("pool_start") = nb::none(),
           nb::arg("pool") = nb::none(), nb::arg("pool_amount") = nb::none(), nb::arg("variant") = nb::none())
      .def("set_meaning", &Run::set_meaning, nb::arg("column"), nb::arg("meaning"))
      .def("read_users", &Run::read_users, nb::arg("submit"), nb::arg("end"), nb::arg("user"))
      .def_prop_ro("waiting_to_submit", &Run::waiting_to_submit)
      .def("close", &Run::close)
      .def("add_closures", &Run::add_closures, nb::kw_only(), nb::arg("first"), nb::arg("nodes"), nb::arg("start"),
           nb::arg("end"), nb::arg("owner"))
      .def("set_owners", &Run::set_owners, nb::kw_only(), nb::arg("row"), nb::arg("owner"))
      .def("add_plugins", &Run::add_plugins)
      .def("load_plugins", &Run::load_plugins)
      .def("reports", &Run::reports)
      .def_prop_ro("values", &Run::values)
      .def("attempts", &Run::attempts)
      .def("actions", &Run::actions)
      .def("action_counts", &Run::action_counts)
      .def("action_reasons", &Run::action_reasons)
      .def("inside", &Run::inside)
      .def("step", &Run::step)
      .def("run", &Run::run, nb::arg("until"), nb::arg("max_rounds"))
      .def("run_for", &Run::run_for, nb::arg("until"), nb::arg("seconds"))
      .def_prop_ro("now", &Run::now)
      .def_prop_ro("next", &Run::next)
      .def_prop_ro("free", &Run::free)
      .def_prop_ro("queue", &Run::queue, nb::rv_policy::automatic)
      .def_prop_ro("running", &Run::running, nb::rv_policy::automatic)
      .def("jobs", &Run::jobs)
      .def("take_finished", &Run::take_finished, nb::arg("last") = false)
      .def("carried", &Run::carried, nb::arg("label"), nb::arg("slots"))
      .def("slots_of", &Run::slots_of, nb::arg("rows"))
      .def_prop_ro("slots", &Run::slots)
      .def_prop_ro("finished_jobs", &Run::finished_jobs)
      .def("take_timeline", &Run::take_timeline, nb::arg("all"))
      .def("placements", &Run::placements)
      .def_prop_ro("node_free", &Run::node_free, nb::rv_policy::automatic)
      .def("decisions", &Run::decisions)
      .def("take_decisions", &Run::take_decisions)
      .def("statistics", &Run::statistics);
}
