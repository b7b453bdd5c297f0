#ifndef QUIRE_CALLOCATION_H
#define QUIRE_CALLOCATION_H

// How large a block of memory really is. Each system asks its allocator by another name, and the
// name is in no module that Swift could import.

#include <stddef.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

/// The bytes that can be used from the start of a block the allocator has given.
static inline size_t allocation_size(const void *block) {
#ifdef __APPLE__
  return malloc_size(block);
#else
  return malloc_usable_size((void *)block);
#endif
}

#endif
