// A sorted list in blocks, with a summary of every block and of every group of blocks. A search skips blocks and groups
// that cannot hold an answer: up to 1024 items per comparison.
//
// Waiting jobs and expected ends are kept in such lists. Insertion moves at most one block. Removal only marks an item;
// an empty block stays until half of the blocks are empty. Below a few dozen items a search is a linear scan.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace thinktime {

// Item: before(other) is a strict total order; kill() marks an item as removed, dead() tests it. A removed item keeps
// its position until its block is compacted.
//
// Summary: a bound over items with add(item), add(summary) and remove(item), which returns true if the bound may now be
// too wide. A default summary is that of no items.
template <class Item, class Summary>
class BlockedList {
 public:
  static constexpr int kBlock = 32;
  static constexpr std::size_t kGroup = 32;

  struct Place {
    std::size_t block = 0;
    int offset = 0;
  };

  bool empty() const { return live_ == 0; }

  void insert(const Item& item) {
    if (live_++ == 0 || blocks_.back()->last().before(item)) return append(item);
    insert_into(block_of(item), item);
  }

  // Returns the place at which a scan continues.
  Place erase(Place place) {
    Block& block = *blocks_[place.block];
    Item& item = block.items[place.offset];
    if (summaries_[place.block].remove(item)) block.loose = true;
    if (place.block < grouped_ * kGroup && groups_[place.block / kGroup].bound.remove(item))
      groups_[place.block / kGroup].loose = true;
    item.kill();
    if (--live_ == 0) return start_over();
    if (--block.live == 0) {
      summaries_[place.block] = Summary{};
      if (++hollow_ > kGroup && 2 * hollow_ > blocks_.size()) return squeeze(place.block);
      while (blocks_[first_]->live == 0) ++first_;
      return {place.block + 1, 0};
    }
    if (place.offset == block.first)
      while (block.items[block.first].dead()) ++block.first;
    return {place.block, place.offset + 1};
  }

  // The place of an item that is in the list. Removed items with an equal key may precede it.
  Place find(const Item& item) const {
    const std::size_t b = block_of(item);
    if (b == blocks_.size()) return {b, 0};  // not in the list
    const Block& block = *blocks_[b];
    const auto begin = block.items.begin();
    auto at = std::lower_bound(begin + block.first, begin + block.used, item,
                               [](const Item& a, const Item& b) { return a.before(b); });
    while (at->dead()) ++at;
    return {b, static_cast<int>(at - begin)};
  }

  // Throws if the item is not in the list: the key of a job has changed, because a user's function is inconsistent.
  void erase(const Item& item) {
    const Place place = find(item);
    if (!valid(place) || place.offset >= blocks_[place.block]->used || item.before((*this)[place]))
      throw std::logic_error(
          "a waiting job's key changed within an instant: the same arguments must give the same key");
    erase(place);
  }

  void clear() {
    for (auto& block : blocks_) spare_.push_back(std::move(block));
    blocks_.clear();
    summaries_.clear();
    groups_.clear();
    grouped_ = first_ = hollow_ = live_ = 0;
  }

  Place begin() const { return {first_, live_ ? blocks_[first_]->first : 0}; }
  bool valid(Place place) const { return place.block < blocks_.size(); }
  const Item& operator[](Place place) const { return blocks_[place.block]->items[place.offset]; }
  const Item& front() const { return (*this)[begin()]; }

  // The first living item at or after `from` with accept(item). Skips blocks and groups with !may(summary).
  template <class May, class Accept>
  Place find_from(Place from, May may, Accept accept) {
    const bool many = blocks_.size() > kGroup;
    if (many) group();
    while (from.block < blocks_.size()) {
      if (many && from.block % kGroup == 0 && from.offset == 0 && !may_hold(from.block / kGroup, may)) {
        from.block += kGroup;
        continue;
      }
      const int at = find_in(from, may, accept);
      if (at >= 0) return {from.block, at};
      ++from.block;
      from.offset = 0;
    }
    return from;
  }

  // Calls visit(item) for every living item in order, until it returns false.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t b = first_; b < blocks_.size(); ++b)
      if (!each_in(b, visit)) return;
  }

  // The same for one block; false if a visit returned false.
  template <class Visit>
  bool each_in(std::size_t b, Visit visit) const {
    const Block& block = *blocks_[b];
    if (block.live == 0) return true;
    for (int i = block.first; i < block.used; ++i)
      if (!block.items[i].dead() && !visit(block.items[i])) return false;
    return true;
  }

  std::size_t first_block() const { return first_; }
  std::size_t blocks() const { return blocks_.size(); }
  const Summary& summary(std::size_t b) const { return summaries_[b]; }

 private:
  struct Block {
    int first = 0;  // the first living item, if any
    int used = 0;   // items [0, used) are filled, living or dead
    int live = 0;
    bool loose = false;  // the summary may be too wide after a removal
    std::array<Item, kBlock> items;
    const Item& last() const { return items[used - 1]; }
    void reset() {
      first = used = live = 0;
      loose = false;
    }
  };
  struct Group {
    Summary bound;
    bool loose = false;
  };

  std::size_t block_of(const Item& item) const {
    const auto at = std::partition_point(blocks_.begin() + static_cast<std::ptrdiff_t>(first_), blocks_.end(),
                                         [&](const auto& block) { return block->last().before(item); });
    return static_cast<std::size_t>(at - blocks_.begin());
  }

  void append(const Item& item) {
    if (blocks_.empty() || blocks_.back()->used == kBlock) open(blocks_.size());
    Block& block = *blocks_.back();
    if (block.live == 0) revive(blocks_.size() - 1);
    block.items[block.used++] = item;
    ++block.live;
    note(blocks_.size() - 1, item);
  }

  void insert_into(std::size_t b, const Item& item) {
    if (blocks_[b]->live == 0) revive(b);
    if (blocks_[b]->used == kBlock && make_room(b) && blocks_[b]->last().before(item)) ++b;
    Block& block = *blocks_[b];
    int at = block.used;
    for (; at > block.first && item.before(block.items[at - 1]); --at) block.items[at] = block.items[at - 1];
    block.items[at] = item;
    ++block.used;
    ++block.live;
    note(b, item);
  }

  // Reuses an empty block, wherever it is: only the order of its neighbours matters.
  void revive(std::size_t b) {
    Block& block = *blocks_[b];
    if (block.used > 0) --hollow_;
    block.reset();
  }

  void note(std::size_t b, const Item& item) {
    summaries_[b].add(item);
    if (b < grouped_ * kGroup) groups_[b / kGroup].bound.add(item);
  }

  // Compacts a full block or, if few items are dead, moves its upper half to a new block and returns true.
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
    summaries_[b] = Summary{};
    for (int i = block.first; i < block.used; ++i)
      if (!block.items[i].dead()) summaries_[b].add(block.items[i]);
    block.loose = false;
  }

  template <class May, class Accept>
  int find_in(Place from, May may, Accept accept) {
    if (!may(summaries_[from.block])) return -1;
    Block& block = *blocks_[from.block];
    if (block.loose) {
      tighten(from.block);
      if (!may(summaries_[from.block])) return -1;
    }
    for (int i = std::max(from.offset, block.first); i < block.used; ++i)
      if (accept(block.items[i])) return i;
    return -1;
  }

  template <class May>
  bool may_hold(std::size_t g, May may) {
    Group& group = groups_[g];
    if (!may(group.bound)) return false;
    if (!group.loose) return true;
    sum_up(g);
    return may(group.bound);
  }

  // Recomputes stale groups. Code that moves blocks only lowers grouped_.
  void group() {
    const std::size_t groups = (blocks_.size() + kGroup - 1) / kGroup;
    groups_.resize(groups);
    for (; grouped_ < groups; ++grouped_) sum_up(grouped_);
  }

  void sum_up(std::size_t g) {
    const std::size_t past = std::min(blocks_.size(), (g + 1) * kGroup);
    groups_[g] = Group{};
    for (std::size_t b = g * kGroup; b < past; ++b) groups_[g].bound.add(summaries_[b]);
  }

  void open(std::size_t b) {
    std::unique_ptr<Block> block;
    if (spare_.empty()) {
      block = std::make_unique<Block>();
    } else {
      block = std::move(spare_.back());
      spare_.pop_back();
      block->reset();
    }
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b), std::move(block));
    summaries_.insert(summaries_.begin() + static_cast<std::ptrdiff_t>(b), Summary{});
    grouped_ = std::min(grouped_, b / kGroup);
  }

  // Removes the empty blocks. Returns where a scan at block b continues.
  Place squeeze(std::size_t b) {
    std::size_t kept = 0, next = 0;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (k == b) next = kept;
      if (blocks_[k]->live == 0) {
        spare_.push_back(std::move(blocks_[k]));
      } else {
        blocks_[kept] = std::move(blocks_[k]);
        summaries_[kept++] = summaries_[k];
      }
    }
    blocks_.resize(kept);
    summaries_.resize(kept);
    grouped_ = first_ = hollow_ = 0;
    return {next, 0};
  }

  // After the last item: keeps one empty block.
  Place start_over() {
    while (blocks_.size() > 1) {
      spare_.push_back(std::move(blocks_.back()));
      blocks_.pop_back();
    }
    summaries_.assign(1, Summary{});
    blocks_.front()->reset();
    grouped_ = first_ = hollow_ = 0;
    return {1, 0};
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Summary> summaries_;  // by block, contiguous for the scan
  std::vector<Group> groups_;       // by group of kGroup blocks
  std::size_t grouped_ = 0;         // groups before this one are up to date
  std::size_t first_ = 0;           // no block before this one has a living item
  std::size_t hollow_ = 0;          // blocks without living items
  std::vector<std::unique_ptr<Block>> spare_;
  std::size_t live_ = 0;
};

}  // namespace thinktime
