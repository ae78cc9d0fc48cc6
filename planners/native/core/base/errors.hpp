// Errors for faults in the input. Work that a limit ends throws `Stop`, in control.hpp.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace unpuzzle {

// The arrays do not describe a task; the message says where.
struct BadTask : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The task has a feature that a search or a heuristic does not support.
struct UnsupportedTask : std::runtime_error {
    UnsupportedTask(const std::string& feature, const std::string& by)
        : std::runtime_error(by + " do not support " + feature) {}
};

// An unknown algorithm or heuristic, or an unsupported combination: the message lists the possible ones.
struct UnknownName : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The entry of that name, or UnknownName.
template <class Entries>
const auto& entry_of(const Entries& entries, const std::string& kind, std::string_view name) {
    std::string names;
    for (const auto& entry : entries) {
        if (name == entry.name) return entry;
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
    throw UnknownName("unknown " + kind + " '" + std::string(name) + "': there are " + names);
}

}  // namespace unpuzzle
