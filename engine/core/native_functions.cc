#include "core/native_functions.h"

#include <mutex>
#include <set>
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

}  // namespace

void allow_native(std::uintptr_t address) {
  const std::lock_guard guard(allowed().lock);
  allowed().addresses.insert(address);
}

void require_native(std::uintptr_t address) {
  const std::lock_guard guard(allowed().lock);
  if (!allowed().addresses.contains(address))
    throw std::invalid_argument("this native function was not created with tt.native in this process");
}

}  // namespace thinktime
