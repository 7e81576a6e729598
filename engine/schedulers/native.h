// A number that a compiled function of the user's gives for a waiting job: a Numba cfunc, or anything of its kind.
#pragma once
#include <cstdint>
#include <string>

#include "core/jobs.h"
#include "core/options.h"

namespace thinktime {

// Whether this process made the function known: an address that comes from a file is never called.
void allow_native(std::uintptr_t address);

class Native {
 public:
  // float64(now_s, submit_s, estimate_s, processors, user); the user is NaN where the log has none.
  using Function = double (*)(double, double, double, double, double);

  // `text` is the function's address, then `static` if it does not look at the clock.
  Native(const std::string& text, const Options& options);

  double value(const Job& job, Time now) const {
    return function_(now, job.submit, job.estimate, job.processors, user_->at(job.row));
  }
  bool dynamic() const { return dynamic_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  Function function_;
  bool dynamic_;
  Column user_;
};

}  // namespace thinktime
