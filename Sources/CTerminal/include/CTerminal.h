#ifndef QUIRE_CTERMINAL_H
#define QUIRE_CTERMINAL_H

// Takes a terminal over, and gives it back however the program ends. A signal may come at any moment,
// so what it runs is written in C, where nothing is allocated, locked or set up on the way.

/// What `wake` is told by one byte each.
enum {
  TERMINAL_RESIZED = 'W',
  TERMINAL_RESUMED = 'C',
};

/// Puts the terminal into raw mode and writes `enter`. Until `terminal_give_back` every signal that
/// ends the program, a crash among them, writes `leave` and sets the old mode first.
///
/// One terminal at a time; the texts must stay where they are. Returns 0 or an error number.
int terminal_take(int input, int output, int wake, const char *enter, const char *leave);

/// Gives the terminal back. Does nothing where none was taken.
void terminal_give_back(void);

/// Whether it is taken and in front: not while the program is stopped or another one has it.
int terminal_is_shown(void);

/// Returns 0 or an error number.
int terminal_size(int output, int *columns, int *rows);

#endif
