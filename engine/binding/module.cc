#include "binding/module.h"

#include "binding/own_plugin.h"
#include "binding/own_scheduler.h"
#include "binding/promises.h"

NB_MODULE(_engine, m) {
  m.doc() = "thinktime's native engine";
  bind_swf(m);
  bind_simulation(m);
  bind_orders(m);
  bind_sessions(m);
  bind_description(m);
  bind_applications(m);
  bind_techniques(m);
  thinktime::bind_own_scheduler(m);
  thinktime::bind_own_plugin(m);
  thinktime::bind_promises(m);
}
