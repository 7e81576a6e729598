// A small mutating driver for machines without libFuzzer: standalone SECONDS SEED FILE...
// Takes a corpus file, changes a few bytes of it, copies or cuts pieces, and hands it to the harness.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Random = std::mt19937_64;
constexpr std::size_t kLargest = 1 << 16;

std::size_t below(Random& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }

// Bytes that matter to a scanner come more often than others.
char any_byte(Random& random) {
  static const std::string kTelling = "0123456789-+.eE \t\r\n;\0\xff";
  return random() % 4 ? kTelling[below(random, kTelling.size())] : static_cast<char>(random());
}

void mutate(std::string& text, const std::string& other, Random& random) {
  const std::size_t at = below(random, text.size() + 1);
  switch (random() % 5) {
    case 0: text.insert(at, 1, any_byte(random)); break;
    case 1:
      if (at < text.size()) text[at] = any_byte(random);
      break;
    case 2: text.erase(at, below(random, 40)); break;
    case 3: text.insert(at, text.substr(below(random, text.size() + 1), below(random, 200))); break;
    default: text.insert(at, other.substr(below(random, other.size() + 1), below(random, 200)));
  }
  if (text.size() > kLargest) text.resize(kLargest);
}

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: standalone SECONDS SEED FILE...\n"), 2;
  std::vector<std::string> corpus;
  for (int k = 3; k < argc; ++k) corpus.push_back(read(argv[k]));
  Random random(std::strtoull(argv[2], nullptr, 10));
  const auto stop = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[1]));
  long runs = 0;
  do {
    std::string text = corpus[below(random, corpus.size())];
    if (runs >= static_cast<long>(corpus.size()))
      for (std::size_t n = 1 + below(random, 12); n > 0; --n)
        mutate(text, corpus[below(random, corpus.size())], random);
    else
      text = corpus[static_cast<std::size_t>(runs)];
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    ++runs;
  } while (std::chrono::steady_clock::now() < stop || runs < static_cast<long>(corpus.size()));
  std::printf("%ld inputs, no failure\n", runs);
}
