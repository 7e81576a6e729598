// Queue orders: the named keys of the field, and composed ones. The smallest (key, sequence) goes first.
#pragma once
#include <memory>
#include <string>

#include "core/jobs.h"
#include "core/options.h"
#include "schedulers/formula.h"
#include "schedulers/native.h"

namespace thinktime {

class Order {
 public:
  using Key = double (*)(JobId id, const Job& job, Time now, const Order& order);

  // `name` is one of order.cc's table, or `= FORMULA` in postfix, or `@ ADDRESS` of a native function.
  Order(const std::string& name, const Options& options);

  double key(JobId id, const Job& job, Time now) const {
    const double key = key_(id, job, now, *this);
    return key == key ? key : 0;  // F1-F4 are undefined for a submission before time 0
  }
  bool dynamic() const { return dynamic_; }  // the key changes while a job waits
  bool operator==(const Order& other) const { return key_ == other.key_ && own_text() == other.own_text(); }

  double deadline_factor() const { return factor_; }  // deadline = submit + deadline_factor * estimate

 private:
  void choose(const std::string& name);
  void compose(const std::string& postfix, const Options& options);
  void call(const std::string& address, const Options& options);
  std::string own_text() const { return formula_ ? formula_->text() : native_ ? native_->text() : ""; }

  Key key_;
  bool dynamic_;
  double factor_;
  std::shared_ptr<const Formula> formula_;  // if composed
  std::shared_ptr<const Native> native_;    // if compiled
};

}  // namespace thinktime
