#include "schedulers/native.h"

#include <cstdint>
#include <sstream>
#include <stdexcept>

#include "core/native_functions.h"

namespace thinktime {

Native::Native(const std::string& text, const Options& options) : text_(text), columns_(options.columns()) {
  std::istringstream words(text);
  std::uintptr_t address = 0;
  std::string when;
  words >> address >> when;
  if (address == 0 || !columns_)
    throw std::invalid_argument("a native function needs an address and the users' column");
  require_native(address);
  address_ = address;
  dynamic_ = when != "static";
  user_ = columns_->place("user");
  for (std::string name; words >> name;) places_.push_back(columns_->place(name));
  if (places_.size() > kMostColumns) throw std::invalid_argument("a native function reads too many columns");
}

}  // namespace thinktime
