#include "schedulers/native.h"

#include <cstdint>
#include <sstream>

namespace thinktime {

Native::Native(const std::string& text, const Options& options) : text_(text), user_(options.column("column.user")) {
  std::istringstream words(text);
  std::uintptr_t address = 0;
  std::string when;
  words >> address >> when;
  if (address == 0 || !user_) throw std::invalid_argument("a native function needs an address and the users' column");
  function_ = reinterpret_cast<Function>(address);
  dynamic_ = when != "static";
}

}  // namespace thinktime
