// Compiled functions of the user, such as Numba's cfuncs. Only functions that this process has registered are called,
// never an address from a file.
#pragma once
#include <cstdint>

namespace thinktime {

void allow_native(std::uintptr_t address);
void require_native(std::uintptr_t address);  // throws unless it was allowed

}  // namespace thinktime
