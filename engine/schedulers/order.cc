// The named keys.
// WFP3 and UNICEF: Tang et al. 2009. F1-F4: Carastan-Santos and de Camargo 2017.
// The order of operations equals that of reference/orders.py, so that keys are bit-identical.
#include "schedulers/order.h"

#include <cmath>

namespace thinktime {
namespace {

double arrival(JobId, const Job&, Time, const Order&) { return 0; }  // the sequence decides
double shortest(JobId, const Job& j, Time, const Order&) { return j.estimate; }
double longest(JobId, const Job& j, Time, const Order&) { return -j.estimate; }
double deadline(JobId, const Job& j, Time, const Order& order) {
  return j.submit + order.deadline_factor() * j.estimate;
}
double smallest(JobId, const Job& j, Time, const Order&) { return j.processors; }
double largest(JobId, const Job& j, Time, const Order&) { return -static_cast<double>(j.processors); }
double smallest_area(JobId, const Job& j, Time, const Order&) { return j.processors * j.estimate; }
double largest_area(JobId, const Job& j, Time, const Order&) { return -(j.processors * j.estimate); }
double wait(JobId, const Job& j, Time now, const Order&) { return -(now - j.submit); }

// A ratio whose denominator may be 0: then a job that has waited goes first.
double ratio(double numerator, double denominator) {
  if (denominator == 0) return numerator > 0 ? kNever : 0;
  return numerator / denominator;
}

double expansion(JobId, const Job& j, Time now, const Order&) {
  return j.estimate == 0 ? -kNever : -((now - j.submit + j.estimate) / j.estimate);
}
double wfp3(JobId, const Job& j, Time now, const Order&) {
  const double x = ratio(now - j.submit, j.estimate);
  return -(x * x * x * j.processors);
}
double unicef(JobId, const Job& j, Time now, const Order&) {
  return -ratio(now - j.submit, std::log2(static_cast<double>(j.processors)) * j.estimate);
}

double f1(JobId, const Job& j, Time, const Order&) {
  return std::log10(j.estimate) * j.processors + 870 * std::log10(j.submit);
}
double f2(JobId, const Job& j, Time, const Order&) {
  return std::sqrt(j.estimate) * j.processors + 25600 * std::log10(j.submit);
}
double f3(JobId, const Job& j, Time, const Order&) {
  return j.estimate * j.processors + 6860000 * std::log10(j.submit);
}
double f4(JobId, const Job& j, Time, const Order&) {
  return j.estimate * std::sqrt(static_cast<double>(j.processors)) + 530000 * std::log10(j.submit);
}

struct Named {
  const char* name;
  Order::Key key;
  bool dynamic;
};

constexpr Named kOrders[] = {
    {"arrival", arrival, false},
    {"estimate", shortest, false},
    {"longest", longest, false},
    {"deadline", deadline, false},
    {"smallest", smallest, false},
    {"largest", largest, false},
    {"smallest-area", smallest_area, false},
    {"largest-area", largest_area, false},
    {"wait", wait, true},
    {"expansion", expansion, true},
    {"wfp3", wfp3, true},
    {"unicef", unicef, true},
    {"f1", f1, false},
    {"f2", f2, false},
    {"f3", f3, false},
    {"f4", f4, false},
};

}  // namespace

Order::Order(const std::string& name, const Options& options) : factor_(options.number("deadline_factor", 1.0)) {
  if (name.starts_with("=")) {
    compose(name.substr(1), options);
  } else if (name.starts_with("@")) {
    call(name.substr(1), options);
  } else {
    choose(name);
  }
}

void Order::choose(const std::string& name) {
  for (const Named& order : kOrders) {
    if (name != order.name) continue;
    key_ = order.key;
    dynamic_ = order.dynamic;
    return;
  }
  throw std::invalid_argument("unknown queue order: " + name);
}

void Order::compose(const std::string& postfix, const Options& options) {
  formula_ = std::make_shared<const Formula>(postfix, options);
  key_ = [](JobId id, const Job& job, Time now, const Order& order) { return order.formula_->value(id, job, now); };
  dynamic_ = formula_->dynamic();
}

void Order::call(const std::string& address, const Options& options) {
  native_ = std::make_shared<const Native>(address, options);
  key_ = [](JobId id, const Job& job, Time now, const Order& order) { return order.native_->value(id, job, now); };
  dynamic_ = native_->dynamic();
}

}  // namespace thinktime
