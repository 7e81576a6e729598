// A key computed by a compiled function of the user, such as a Numba cfunc.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/jobs.h"
#include "core/options.h"

namespace thinktime {

class Native {
 public:
  // float64(now_s, submit_s, estimate_s, processors, user, columns...); the user is NaN if the log has none.
  using Function = double (*)(double, double, double, double, double);
  using WithOne = double (*)(double, double, double, double, double, double);
  using WithTwo = double (*)(double, double, double, double, double, double, double);
  using WithThree = double (*)(double, double, double, double, double, double, double, double);
  static constexpr std::size_t kMostColumns = 3;

  // `text` is the function's address, then `static` if it does not depend on the clock or else `dynamic`, then the
  // names of further columns.
  Native(const std::string& text, const Options& options);

  double value(JobId id, const Job& job, Time now) const {
    const double user = columns_->at(user_, id), n = job.processors;
    const auto more = [&](std::size_t k) { return columns_->at(places_[k], id); };
    switch (places_.size()) {
      case 0: return reinterpret_cast<Function>(address_)(now, job.submit, job.estimate, n, user);
      case 1: return reinterpret_cast<WithOne>(address_)(now, job.submit, job.estimate, n, user, more(0));
      case 2: return reinterpret_cast<WithTwo>(address_)(now, job.submit, job.estimate, n, user, more(0), more(1));
      default:
        return reinterpret_cast<WithThree>(address_)(now, job.submit, job.estimate, n, user, more(0), more(1), more(2));
    }
  }
  bool dynamic() const { return dynamic_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::uintptr_t address_;  // of the function
  bool dynamic_;
  ReadColumns columns_;
  std::size_t user_ = 0;             // place of the column
  std::vector<std::size_t> places_;  // of further columns
};

}  // namespace thinktime
