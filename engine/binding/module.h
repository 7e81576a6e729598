// The functions that add each part to the module. Only this folder includes nanobind.
#pragma once
#include <nanobind/nanobind.h>

void bind_swf(nanobind::module_& m);
void bind_parquet(nanobind::module_& m);
void bind_simulation(nanobind::module_& m);
void bind_orders(nanobind::module_& m);
void bind_sessions(nanobind::module_& m);
void bind_description(nanobind::module_& m);
void bind_applications(nanobind::module_& m);
void bind_techniques(nanobind::module_& m);
void bind_promises(nanobind::module_& m);
