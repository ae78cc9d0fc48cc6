// What the test programs of the core share: checks that are counted, an observer, tasks of a few lines.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "api.hpp"

namespace unpuzzle {

inline int failures = 0;

inline void check(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "failed: %s\n", what.c_str());
    ++failures;
}

// The exit code of a program after all its checks; it prints `praise` if they hold.
inline int verdict(const char* praise) {
    if (failures == 0) std::puts(praise);
    return failures == 0 ? 0 : 1;
}

template <class Error>
bool throws(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error&) {
        return true;
    }
    return false;
}

struct Still : Observer {
    bool look(const Counters&, double) override { return true; }
};

inline void push(Vector<std::int32_t>& to, std::initializer_list<std::int32_t> numbers) {
    to.insert(to.end(), numbers.begin(), numbers.end());
}

// One variable that counts up from 0 to `last`, each step at cost 2, and may fall back to 0 for 1.
inline Buffers ladder(std::int32_t last) {
    Buffers task;
    task.domains = {last + 1};
    task.layers = {-1};
    task.initial = {0};
    task.goal = {0, last};
    for (std::int32_t value = 0; value < last; ++value) {
        push(task.operators, {1, 0, value, 1, 0, 0, value + 1});
        task.costs.push_back(2);
    }
    push(task.operators, {1, 0, last, 1, 0, 0, 0});
    task.costs.push_back(1);
    return task;
}

// Switches that are off, and all are to be on. Each can be turned on and, where they go `back`, off again.
inline Buffers switches(std::int32_t count, bool back) {
    Buffers task;
    for (std::int32_t i = 0; i < count; ++i) {
        task.domains.push_back(2);
        task.layers.push_back(-1);
        task.initial.push_back(0);
        push(task.goal, {i, 1});
        push(task.operators, {1, i, 0, 1, 0, i, 1});
        if (back) push(task.operators, {1, i, 1, 1, 0, i, 0});
        task.costs.insert(task.costs.end(), back ? 2 : 1, 1);
    }
    return task;
}

}  // namespace unpuzzle
