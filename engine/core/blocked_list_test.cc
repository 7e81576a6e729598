#include "core/blocked_list.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

using namespace thinktime;

namespace {

struct Item {
  int key = 0;
  int size = 0;  // kGone once removed

  bool before(const Item& other) const { return key < other.key; }
  void kill() { size = kGone; }
  bool dead() const { return size == kGone; }

  static constexpr int kGone = 1 << 20;
};

struct Least {
  int size = Item::kGone;

  void add(const Item& item) { size = std::min(size, item.size); }
  void add(const Least& other) { size = std::min(size, other.size); }
  bool remove(const Item& item) const { return item.size == size; }
};

using List = BlockedList<Item, Least>;

// The list and a plain sorted set of the same items.
struct Both {
  List list;
  std::set<std::pair<int, int>> model;  // (key, size)

  bool insert(int key, int size) {
    const auto at = model.lower_bound({key, -1});
    if (at != model.end() && at->first == key) return false;
    model.emplace(key, size);
    list.insert({key, size});
    return true;
  }

  std::vector<std::pair<int, int>> all() const {
    std::vector<std::pair<int, int>> found;
    list.each([&](const Item& item) {
      found.emplace_back(item.key, item.size);
      return true;
    });
    return found;
  }
  void check_all() const {
    CHECK(all() == std::vector<std::pair<int, int>>(model.begin(), model.end()));
    CHECK(list.empty() == model.empty());
    if (!model.empty()) CHECK(list.front().key == model.begin()->first);
  }

  // All items of at most `size`, found by searches that pass over blocks.
  std::vector<std::pair<int, int>> small(int size) {
    std::vector<std::pair<int, int>> found;
    const auto fits = [=](const auto& each) { return each.size <= size; };
    for (auto at = list.find_from(list.begin(), fits, fits); list.valid(at);
         ++at.offset, at = list.find_from(at, fits, fits))
      found.emplace_back(list[at].key, list[at].size);
    return found;
  }
  void check_small(int size) {
    std::vector<std::pair<int, int>> expected;
    for (const auto& each : model)
      if (each.second <= size) expected.push_back(each);
    CHECK(small(size) == expected);
  }
};

}  // namespace

TEST_CASE("an empty blocked list has no items") {
  Both both;
  both.check_all();
  both.check_small(100);
}

TEST_CASE("a list that was emptied takes items again") {
  Both both;
  for (int round = 0; round < 3; ++round) {
    for (int key = 0; key < 200; ++key) both.insert(key, key % 7);
    while (!both.list.empty()) both.list.erase(both.list.begin());
    both.model.clear();
    both.check_all();
  }
}

TEST_CASE("clear removes all items") {
  Both both;
  for (int key = 0; key < 3000; ++key) both.insert(key, 1);
  both.list.clear();
  both.model.clear();
  both.check_all();
  both.insert(5, 2);
  both.check_all();
}

TEST_CASE("erasing an item that is not there is an error") {
  List list;
  list.insert({1, 1});
  list.insert({3, 1});
  CHECK_THROWS_AS(list.erase(Item{2, 1}), std::logic_error);
  CHECK_THROWS_AS(list.erase(Item{4, 1}), std::logic_error);
}

TEST_CASE("a scan goes on after the item it erased") {
  Both both;
  for (int key = 0; key < 2500; ++key) both.insert(key, key % 5);
  const auto even = [](const auto& each) { return each.size == 0; };
  for (auto at = both.list.find_from(both.list.begin(), even, even); both.list.valid(at);
       at = both.list.find_from(at, even, even)) {
    both.model.erase({both.list[at].key, both.list[at].size});
    at = both.list.erase(at);
  }
  both.check_all();
}

TEST_CASE("random insertions, removals and searches agree with a sorted set") {
  for (const int range : {50, 400, 100'000}) {  // few blocks, one group, several groups
    std::mt19937 random(static_cast<unsigned>(range));
    Both both;
    for (int step = 0; step < 12'000; ++step) {
      const bool grow = step % 6000 < 4000;  // then it shrinks
      if (random() % 8 < (grow ? 6u : 2u)) {
        both.insert(static_cast<int>(random() % static_cast<unsigned>(range)), static_cast<int>(random() % 1000));
      } else if (!both.model.empty()) {
        auto gone = both.model.lower_bound({static_cast<int>(random() % static_cast<unsigned>(range)), 0});
        if (gone == both.model.end()) --gone;
        both.list.erase(Item{gone->first, gone->second});
        both.model.erase(gone);
      }
      if (step % 100 == 0) both.check_small(static_cast<int>(random() % 1000));
      if (step % 1000 == 0) both.check_all();
    }
    both.check_all();
  }
}
