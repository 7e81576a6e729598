#include "schedulers/native.h"

#include <cstdint>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace thinktime {
namespace {

struct Allowed {
  std::mutex lock;
  std::set<std::uintptr_t> addresses;
};

Allowed& allowed() {
  static Allowed all;
  return all;
}

bool is_allowed(std::uintptr_t address) {
  const std::lock_guard guard(allowed().lock);
  return allowed().addresses.contains(address);
}

}  // namespace

void allow_native(std::uintptr_t address) {
  const std::lock_guard guard(allowed().lock);
  allowed().addresses.insert(address);
}

Native::Native(const std::string& text, const Options& options) : text_(text), columns_(options.columns()) {
  std::istringstream words(text);
  std::uintptr_t address = 0;
  std::string when;
  words >> address >> when;
  if (address == 0 || !columns_)
    throw std::invalid_argument("a native function needs an address and the users' column");
  if (!is_allowed(address))
    throw std::invalid_argument("this native function was not created with tt.native in this process");
  address_ = address;
  dynamic_ = when != "static";
  user_ = columns_->place("user");
  for (std::string name; words >> name;) places_.push_back(columns_->place(name));
  if (places_.size() > kMostColumns) throw std::invalid_argument("a native function reads too many columns");
}

}  // namespace thinktime
