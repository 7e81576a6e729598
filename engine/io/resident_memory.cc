#include "io/resident_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace thinktime {

// "size resident shared …" in pages.
std::int64_t resident_bytes() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128] = {};
  const ssize_t length = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (length <= 0) return 0;
  char* rest = nullptr;
  std::strtoll(text, &rest, 10);
  return std::strtoll(rest, nullptr, 10) * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace thinktime
