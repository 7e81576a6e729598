// Worst fit: the emptiest nodes first, so that the load is spread.
#include "allocators/ranked.h"

namespace thinktime {
namespace {

const RegisterAllocator worst_fit{"worst-fit", [](const Nodes& nodes, const Options& options) {
                                    return std::make_unique<Ranked>(nodes, options, -1.0);
                                  }};

}  // namespace
}  // namespace thinktime
