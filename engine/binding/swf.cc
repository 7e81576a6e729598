#include "binding/module.h"
void bind_swf(nanobind::module_&) {}
