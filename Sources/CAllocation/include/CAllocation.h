#ifndef QUIRE_CALLOCATION_H
#define QUIRE_CALLOCATION_H

// The actual size of an allocation. Each system has another function for it, in no module that
// Swift can import.

#include <stddef.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

/// Returns the number of usable bytes from the start of an allocated block.
static inline size_t allocation_size(const void *block) {
#ifdef __APPLE__
  return malloc_size(block);
#else
  return malloc_usable_size((void *)block);
#endif
}

#endif
