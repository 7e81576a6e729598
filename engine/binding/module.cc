#include "binding/module.h"

#include <exception>
#include <stdexcept>

#include "binding/own_plugin.h"
#include "binding/own_views.h"

namespace {

// std::invalid_argument becomes thinktime.InputError.
void as_input_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::invalid_argument& broken) {
    PyErr_SetString(nanobind::module_::import_("thinktime.errors").attr("InputError").ptr(), broken.what());
  }
}

}  // namespace

NB_MODULE(_engine, m) {
  m.doc() = "thinktime's native engine";
  nanobind::register_exception_translator(as_input_error);
  bind_swf(m);
  bind_parquet(m);
  bind_simulation(m);
  bind_orders(m);
  bind_sessions(m);
  bind_description(m);
  bind_applications(m);
  bind_techniques(m);
  bind_promises(m);
  thinktime::bind_own_views(m);
  thinktime::bind_own_machine(m);
  thinktime::bind_own_plugin(m);
}
