// Best fit: the fullest nodes first, so that jobs are packed and whole nodes stay empty.
#include "allocators/ranked.h"

namespace thinktime {
namespace {

const RegisterAllocator best_fit{"best-fit", [](const Nodes& nodes, const Options& options) {
                                   return std::make_unique<Ranked>(nodes, options, 1.0);
                                 }};

}  // namespace
}  // namespace thinktime
