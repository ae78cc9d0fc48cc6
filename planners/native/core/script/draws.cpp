#include "script/draws.hpp"

#include <utility>

namespace unpuzzle::script {

Draws::Draws(std::span<const unsigned char> key) {
    for (unsigned i = 0; i < 256; ++i) boxes_[i] = static_cast<unsigned char>(i);
    unsigned j = 0;
    for (unsigned i = 0; i < 256; ++i) {
        j = (j + boxes_[i] + (key.empty() ? 0u : key[i % key.size()])) % 256;
        std::swap(boxes_[i], boxes_[j]);
    }
}

unsigned Draws::byte() {
    i_ = static_cast<unsigned char>(i_ + 1);
    j_ = static_cast<unsigned char>(j_ + boxes_[i_]);
    std::swap(boxes_[i_], boxes_[j_]);
    return boxes_[(boxes_[i_] + boxes_[j_]) % 256];
}

std::uint64_t Draws::below(double count) {
    ++drawn_;
    double drawn = 0;
    for (int k = 0; k < 7; ++k) drawn = drawn * 256 + byte();
    const double found = drawn / (72057594037927936.0 - 1) * count;
    return found < count ? static_cast<std::uint64_t>(found) : static_cast<std::uint64_t>(count) - 1;
}

Draws DrawsAt::at(std::uint64_t drawn) {
    while (known_.size() <= drawn / GAP) {
        Draws next = known_.back();
        while (next.drawn() < known_.size() * GAP) next.below(1);
        known_.push_back(next);
    }
    Draws found = known_[drawn / GAP];
    while (found.drawn() < drawn) found.below(1);
    return found;
}

}  // namespace unpuzzle::script
