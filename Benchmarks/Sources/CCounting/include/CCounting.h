#ifndef CCOUNTING_H
#define CCOUNTING_H

#include <stdbool.h>

// Runs all tasks of a Swift program on one thread, in the order in which they became ready, so that two
// runs of the same work execute the same instructions.

// From now on tasks run in `counting_run` and nowhere else. Called from the main thread, outside of tasks.
// Returns false where this is not supported.
bool counting_begin(void);

// Runs tasks on the main thread until `*done`.
void counting_run(const bool *done);

// The same. An observer of the process counts what happens between its entry and its return.
void counted_run(const bool *done);

// How much memory the program has asked for since it began: the number of blocks, and their bytes. Zero
// where the counting allocator is not loaded.
long long counted_blocks(void);
long long counted_bytes(void);

#endif
