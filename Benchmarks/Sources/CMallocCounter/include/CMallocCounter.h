#ifndef CMALLOCCOUNTER_H
#define CMALLOCCOUNTER_H

// The allocator of the C library with a count, loaded in front of a program with LD_PRELOAD.

// How many blocks the program has asked for. One that grows counts as a new one.
long long malloc_counter_blocks(void);

// How many bytes it has asked for.
long long malloc_counter_bytes(void);

#endif
