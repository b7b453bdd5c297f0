// A stand-in for Apple's header, for type-checking only: written from its documentation, with what Quire uses.
#ifndef STAND_IN_MALLOC_H
#define STAND_IN_MALLOC_H

#include <stddef.h>

size_t malloc_size(const void *ptr);

#endif
