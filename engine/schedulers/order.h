// Queue orders: the keys that the field sorts by. The smallest (key, sequence) goes first.
#pragma once
#include <string>

#include "core/jobs.h"
#include "core/options.h"

namespace thinktime {

class Order {
 public:
  using Key = double (*)(const Job& job, Time now, double factor);

  // `name` is one of order.cc's table; a deadline is submit + deadline_factor * estimate.
  Order(const std::string& name, const Options& options);

  double key(const Job& job, Time now) const {
    const double key = key_(job, now, factor_);
    return key == key ? key : 0;  // F1-F4 have no value for a submission before time 0
  }
  bool dynamic() const { return dynamic_; }  // the key changes while a job waits
  bool operator==(const Order& other) const { return key_ == other.key_; }

 private:
  Key key_;
  bool dynamic_;
  double factor_;
};

}  // namespace thinktime
