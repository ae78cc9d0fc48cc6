// Containers that give their memory back: `container = {}` would only empty them.
#pragma once

namespace unpuzzle {

template <class Container>
void release(Container& container) {
    Container(container.get_allocator()).swap(container);
}

}  // namespace unpuzzle
