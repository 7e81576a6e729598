// A key computed by a compiled function of the user, such as a Numba cfunc.
#pragma once
#include <cstdint>
#include <string>

#include "core/jobs.h"
#include "core/options.h"

namespace thinktime {

// Only functions that this process registered are called, never an address from a file.
void allow_native(std::uintptr_t address);

class Native {
 public:
  // float64(now_s, submit_s, estimate_s, processors, user); the user is NaN if the log has none.
  using Function = double (*)(double, double, double, double, double);

  // `text` is the function's address, then `static` if it does not depend on the clock.
  Native(const std::string& text, const Options& options);

  double value(JobId id, const Job& job, Time now) const {
    return function_(now, job.submit, job.estimate, job.processors, columns_->at(user_, id));
  }
  bool dynamic() const { return dynamic_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  Function function_;
  bool dynamic_;
  ReadColumns columns_;
  std::size_t user_ = 0;  // place of the column
};

}  // namespace thinktime
