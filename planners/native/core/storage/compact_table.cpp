#include "storage/compact_table.hpp"

#include <algorithm>

namespace unpuzzle {

CompactTable::CompactTable(Budget& budget, Control& control, std::size_t bits)
    : control_(control), memory_(budget), bits_(std::max(static_cast<int>(bits), 2 * FIRST_LINE_BITS)) {
    const Shape first = shape(FIRST_LINE_BITS);
    memory_.grow(first.lines() * LINE_BYTES);
    set_shape(first);
}

void CompactTable::put(Place place, std::uint64_t mixed, Cost cost) {
    highest_ = std::max(highest_, cost);
    if (cost >= shape_.cost_mask) {
        rebuild(shape(shape_.line_bits + 1, false));
        place = find(mixed);
    }
    while (place.slot == NO_SLOT) {
        grow();
        place = find(mixed);
    }
    write(place.slot, mixed, cost);
    used_ += !place.known;
    if (used_ > most_) grow();
}

CompactTable::Shape CompactTable::shape(int line_bits, bool narrow) const {
    const int rest_bits = bits_ - line_bits, key_bits = rest_bits + REACH_BITS;
    const int cost_bits = (narrow ? 32 : 64) - key_bits;
    const auto mask = [](int bits) { return bits > 0 ? (std::uint64_t{1} << bits) - 1 : 0; };
    return {line_bits, rest_bits, cost_bits, narrow, mask(key_bits), mask(cost_bits)};
}

// There must be room for costs to double, or the slots would soon be wide again.
CompactTable::Shape CompactTable::shape(int line_bits) const {
    const Shape narrow = shape(line_bits, true);
    const int cost_bits = static_cast<int>(std::bit_width(highest_ + 1)) + 1;
    return narrow.cost_bits >= std::max(cost_bits, LEAST_COST_BITS) ? narrow : shape(line_bits, false);
}

void CompactTable::set_shape(const Shape& shape) {
    shape_ = shape;
    const std::size_t lines = std::size_t{1} << shape.line_bits;
    // Lines of fewer slots are full sooner.
    most_ = shape.narrow ? lines * PER_LINE<std::uint32_t> / 4 * 3 : lines * PER_LINE<std::uint64_t> / 8 * 5;
}

void CompactTable::grow() {
    const int bits = shape_.line_bits;
    rebuild(shape(std::min(bits + (bits < SMALL_LINE_BITS ? 2 : 1), bits_)));
}

void CompactTable::rebuild(const Shape& next) {
    const Shape old = shape_;
    if (next.line_bits <= old.line_bits || next.line_bits > bits_) throw Stop{Status::memout};
    memory_.grow(next.lines() * LINE_BYTES);
    set_shape(next);
    Vector<Entry> entries;
    const auto take = [&](std::size_t line) {
        if (line % TICKS == 0) control_.tick();
        old.narrow ? take_out<std::uint32_t>(old, line, entries) : take_out<std::uint64_t>(old, line, entries);
    };
    // What is in line i belongs to line i - 31 or a later one, so from now on to 2 * (i - 31) or a later one: behind
    // i, but for the first lines.
    const std::size_t first = std::min(old.lines(), 2 * REACH);
    for (std::size_t line = old.lines(); line-- > first;) {
        take(line);
        put_all(entries);
    }
    for (std::size_t line = 0; line < first; ++line) take(line);
    put_all(entries);
}

template <class Slot>
void CompactTable::take_out(const Shape& old, std::size_t line, Vector<Entry>& out) {
    Slot* slots = this->slots<Slot>() + line * PER_LINE<Slot>;
    for (std::size_t i = 0; i < PER_LINE<Slot> && slots[i] != 0; ++i) {
        const std::uint64_t key = slots[i] >> old.cost_bits;
        const std::uint64_t own = line - ((line - (key >> old.rest_bits)) & (REACH - 1));
        const std::uint64_t rest = key & ((std::uint64_t{1} << old.rest_bits) - 1);
        out.push_back({own << old.rest_bits | rest, (slots[i] & old.cost_mask) - 1});
        slots[i] = 0;
    }
}

void CompactTable::put_all(Vector<Entry>& entries) {
    for (const Entry& entry : entries) {
        const Place place = find(entry.mixed);
        if (place.slot == NO_SLOT) throw Stop{Status::memout};
        write(place.slot, entry.mixed, entry.cost);
    }
    entries.clear();
}

}  // namespace unpuzzle
