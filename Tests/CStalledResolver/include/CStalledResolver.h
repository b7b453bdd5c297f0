#ifndef CSTALLEDRESOLVER_H
#define CSTALLEDRESOLVER_H

// Takes the place of the system's name lookup in the test process: a name that ends in
// ".stalled.test" keeps the lookup waiting until stalled_resolver_release() or half a minute later.
// All other names are looked up as usual.

// Blocks until that many stalled lookups have begun since the process started.
void stalled_resolver_wait_for(int lookups);
// How many stalled lookups have begun.
int stalled_resolver_count(void);
// Lets all lookups that are stalled now fail.
void stalled_resolver_release(void);

#endif
