#ifndef QUIRE_CALLOCATION_H
#define QUIRE_CALLOCATION_H

// What the allocator of the system says and does. Its functions are in no module that Swift can import.

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

/// Gives each block of at least a number of bytes back to the system as soon as it is freed. Otherwise the C library of
/// Linux keeps blocks of up to 32 MB, once one of that size was freed.
static inline void allocation_returns_blocks(size_t bytes) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, (int)bytes);
#else
  (void)bytes;
#endif
}

#endif
