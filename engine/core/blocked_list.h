// A sorted list in blocks, each with a summary that lets a search pass over the whole block.
//
// Waiting jobs and expected ends are both kept this way: insertion moves at most one block, removal only
// marks, and a scan looks at one summary for up to kBlock items. Below a hundred items it is a linear scan.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace thinktime {

// Item:    before(other) (a strict total order); kill() and dead(): a removed item keeps its place, and its
//          order, until the block is repacked.
// Summary: a bound over a block's items: add(item), remove(item) -> true if the bound may now be loose.
template <class Item, class Summary>
class BlockedList {
 public:
  static constexpr int kBlock = 64;

  struct Place {
    std::size_t block = 0;
    int offset = 0;
  };

  bool empty() const { return live_ == 0; }
  std::size_t size() const { return live_; }

  void insert(const Item& item) {
    if (live_++ == 0 || blocks_.back()->last().before(item)) return append(item);
    insert_into(block_of(item), item);
  }

  // Returns the place from which a scan goes on.
  Place erase(Place place) {
    Block& block = *blocks_[place.block];
    Item& item = block.items[place.offset];
    if (summaries_[place.block].remove(item)) block.loose = true;
    item.kill();
    if (--live_ == 0) return empty_out();
    if (--block.live == 0) {
      drop(place.block);
      return {place.block, 0};
    }
    if (place.offset == block.first)
      while (block.items[block.first].dead()) ++block.first;
    return {place.block, place.offset + 1};
  }

  // The place of an item that is in the list.
  Place find(const Item& item) const {
    const std::size_t b = block_of(item);
    const Block& block = *blocks_[b];
    const auto begin = block.items.begin();
    const auto at = std::lower_bound(begin + block.first, begin + block.used, item,
                                     [](const Item& a, const Item& b) { return a.before(b); });
    return {b, static_cast<int>(at - begin)};
  }

  void erase(const Item& item) { erase(find(item)); }

  void clear() {
    for (auto& block : blocks_) spare_.push_back(std::move(block));
    blocks_.clear();
    summaries_.clear();
    live_ = 0;
  }

  Place begin() const { return {0, blocks_.empty() ? 0 : blocks_.front()->first}; }
  bool valid(Place place) const { return place.block < blocks_.size(); }
  const Item& operator[](Place place) const { return blocks_[place.block]->items[place.offset]; }
  const Item& front() const { return (*this)[begin()]; }

  // The first living item at or after `from` with accept(item); blocks with !may(summary) are passed over.
  template <class May, class Accept>
  Place find_from(Place from, May may, Accept accept) {
    for (; from.block < blocks_.size(); ++from.block, from.offset = 0) {
      if (!may(summaries_[from.block])) continue;
      Block& block = *blocks_[from.block];
      if (block.loose) {
        tighten(from.block);
        if (!may(summaries_[from.block])) continue;
      }
      for (int i = std::max(from.offset, block.first); i < block.used; ++i)
        if (accept(block.items[i])) return {from.block, i};
    }
    return from;
  }

  // visit(item) for every living item, in order, until it returns false.
  template <class Visit>
  void each(Visit visit) const {
    for (const auto& block : blocks_)
      for (int i = block->first; i < block->used; ++i)
        if (!block->items[i].dead() && !visit(block->items[i])) return;
  }

  std::size_t blocks() const { return blocks_.size(); }
  const Summary& summary(std::size_t b) const { return summaries_[b]; }

  template <class Visit>
  void each_in(std::size_t b, Visit visit) const {
    const Block& block = *blocks_[b];
    for (int i = block.first; i < block.used; ++i)
      if (!block.items[i].dead() && !visit(block.items[i])) return;
  }

 private:
  struct Block {
    int first = 0;       // the first living item
    int used = 0;        // items [0, used) are filled, living or dead
    int live = 0;
    bool loose = false;  // the summary is a bound that a removed item may have left too wide
    std::array<Item, kBlock> items;
    const Item& last() const { return items[used - 1]; }
  };

  std::size_t block_of(const Item& item) const {
    const auto at = std::partition_point(blocks_.begin(), blocks_.end(),
                                         [&](const auto& block) { return block->last().before(item); });
    return static_cast<std::size_t>(at - blocks_.begin());
  }

  void append(const Item& item) {
    if (blocks_.empty() || blocks_.back()->used == kBlock) open(blocks_.size());
    Block& block = *blocks_.back();
    block.items[block.used++] = item;
    ++block.live;
    summaries_.back().add(item);
  }

  void insert_into(std::size_t b, const Item& item) {
    if (blocks_[b]->used == kBlock && make_room(b) && blocks_[b]->last().before(item)) ++b;
    Block& block = *blocks_[b];
    int at = block.used;
    for (; at > block.first && item.before(block.items[at - 1]); --at) block.items[at] = block.items[at - 1];
    block.items[at] = item;
    ++block.used;
    ++block.live;
    summaries_[b].add(item);
  }

  // A full block loses its dead items or, if few are dead, its upper half to a new block (then: true).
  bool make_room(std::size_t b) {
    if (blocks_[b]->live <= 3 * kBlock / 4) {
      repack(b);
      return false;
    }
    open(b + 1);
    Block& lower = *blocks_[b];
    Block& upper = *blocks_[b + 1];
    std::copy(lower.items.begin() + kBlock / 2, lower.items.end(), upper.items.begin());
    upper.used = kBlock / 2;
    lower.used = kBlock / 2;
    repack(b + 1);
    repack(b);
    return true;
  }

  void repack(std::size_t b) {
    Block& block = *blocks_[b];
    const auto end = std::remove_if(block.items.begin(), block.items.begin() + block.used,
                                    [](const Item& item) { return item.dead(); });
    block.used = block.live = static_cast<int>(end - block.items.begin());
    block.first = 0;
    tighten(b);
  }

  void tighten(std::size_t b) {
    Block& block = *blocks_[b];
    Summary summary;
    for (int i = block.first; i < block.used; ++i)
      if (!block.items[i].dead()) summary.add(block.items[i]);
    summaries_[b] = summary;
    block.loose = false;
  }

  void open(std::size_t b) {
    std::unique_ptr<Block> block;
    if (spare_.empty()) {
      block = std::make_unique<Block>();
    } else {
      block = std::move(spare_.back());
      spare_.pop_back();
      block->first = block->used = block->live = 0;
      block->loose = false;
    }
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b), std::move(block));
    summaries_.insert(summaries_.begin() + static_cast<std::ptrdiff_t>(b), Summary{});
  }

  // The last item has gone: its block stays, empty, for the next one.
  Place empty_out() {
    Block& block = *blocks_.front();
    block.first = block.used = block.live = 0;
    block.loose = false;
    summaries_.front() = Summary{};
    return {1, 0};
  }

  void drop(std::size_t b) {
    spare_.push_back(std::move(blocks_[b]));
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b));
    summaries_.erase(summaries_.begin() + static_cast<std::ptrdiff_t>(b));
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Summary> summaries_;  // one for each block, side by side for the scan
  std::vector<std::unique_ptr<Block>> spare_;
  std::size_t live_ = 0;
};

}  // namespace thinktime
