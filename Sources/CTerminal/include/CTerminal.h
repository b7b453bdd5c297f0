#ifndef QUIRE_CTERMINAL_H
#define QUIRE_CTERMINAL_H

// Takes a terminal over, and restores it however the program ends. A signal can arrive at any moment, so the
// code that it runs is written in C, where nothing is allocated, locked or initialized implicitly.

/// The bytes written to `wake`.
enum {
  TERMINAL_RESIZED = 'W',
  TERMINAL_RESUMED = 'C',
};

/// Puts the terminal into raw mode and writes `enter`. Until `terminal_give_back`, every signal that ends the
/// program, including crashes, first writes `leave` and restores the old mode.
///
/// One terminal at a time; the texts must stay at their address. Returns 0 or an error number.
int terminal_take(int input, int output, int wake, const char *enter, const char *leave);

/// Restores the terminal. Does nothing if none was taken.
void terminal_give_back(void);

/// Whether it is taken and in the foreground: not while the program is stopped or another one has it.
int terminal_is_shown(void);

/// Gets the size of the terminal. Returns 0 or an error number.
int terminal_size(int output, int *columns, int *rows);

#endif
