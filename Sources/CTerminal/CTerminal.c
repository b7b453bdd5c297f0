#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/// The signals that end a program by default, including those of a crash.
static const int ends[] = {SIGHUP,  SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGABRT,
                           SIGSEGV, SIGBUS, SIGILL,  SIGFPE,  SIGTRAP};
static const int others[] = {SIGWINCH, SIGTSTP, SIGCONT};
enum { end_count = sizeof ends / sizeof *ends, other_count = sizeof others / sizeof *others };

/// Read by several threads, and by signal handlers on any of them. It is shown from before raw mode is set
/// until before the old mode is restored, so that a signal that ends the program in between restores it.
static atomic_int is_taken, is_shown;
/// Incremented each time it is shown and left. Text of an earlier turn is no longer written.
static atomic_int turn;
/// Whether a thread is using the terminal, which never takes long.
static atomic_int is_busy;
static int in_fd, out_fd, out_flags, wake_fd;
static const char *enter_text, *leave_text;
static struct termios mode_before, mode_raw;
static struct sigaction ends_before[end_count], others_before[other_count];

/// Locks out other threads, and blocks signals on this one, because their handlers may need the terminal too.
static void begin(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  // A background program that touches the terminal must be stopped, not let through.
  sigdelset(&all, SIGTTOU);
  pthread_sigmask(SIG_SETMASK, &all, before);
  while (atomic_exchange(&is_busy, 1)) {}
}

static void end(const sigset_t *before) {
  is_busy = 0;
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

/// Writes as much as fits, unless another turn has started. Returns the result of `write`.
static ssize_t put_some(const char *text, size_t count, int of_turn) {
  sigset_t before;
  begin(&before);
  ssize_t written = 0;
  int error = 0;
  if (turn == of_turn) {
    fcntl(out_fd, F_SETFL, out_flags | O_NONBLOCK);
    written = write(out_fd, text, count);
    error = errno;
    fcntl(out_fd, F_SETFL, out_flags);
  }
  end(&before);
  errno = error;
  return written;
}

/// Writes all of the text, but waits at most a second for a terminal that accepts nothing: a program that
/// gets a signal to end must end.
static void put(const char *text, int of_turn) {
  size_t left = strlen(text);
  int waits = 0;
  while (left > 0) {
    ssize_t count = put_some(text, left, of_turn);
    if (count > 0) {
      text += count;
      left -= (size_t)count;
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      break;
    } else if (errno == EAGAIN) {
      if (++waits > 100) break;
      // The terminal may have room while another thread's write occupies it, so this only sleeps.
      poll(NULL, 0, 10);
    }
  }
}

static void leave(void) {
  if (!is_shown) return;
  sigset_t before;
  begin(&before);
  int was_shown = atomic_exchange(&is_shown, 0);
  int of_turn = ++turn;
  // The mode comes first: the program may be killed while this waits for the terminal.
  if (was_shown) tcsetattr(in_fd, TCSANOW, &mode_before);
  end(&before);
  if (was_shown) put(leave_text, of_turn);
}

static void enter(void) {
  sigset_t before;
  begin(&before);
  // If it isn't taken, it was restored before this ran.
  int is_wanted = is_taken;
  int of_turn = ++turn;
  if (is_wanted) {
    is_shown = 1;
    tcsetattr(in_fd, TCSANOW, &mode_raw);
  }
  end(&before);
  if (is_wanted) put(enter_text, of_turn);
}

/// Whether another process group is in the foreground, such as a shell that resumed this one behind it.
static int is_behind(void) {
  pid_t front = tcgetpgrp(in_fd);
  return front > 0 && front != getpgrp();
}

static void wake(char what) { (void)!write(wake_fd, &what, 1); }

static void on_end(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  if (atomic_exchange(&is_taken, 0)) leave();
  for (int i = 0; i < end_count; i++) sigaction(ends[i], &ends_before[i], NULL);
  errno = error;
  // A faulting instruction runs again, so that crash reporters see its location. Other signals would not recur
  // by themselves.
  int is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
  if (!is_fault || info->si_code <= 0) raise(number);
}

static void on_other(int number) {
  int error = errno;
  if (!is_taken) return;
  if (number == SIGWINCH) wake(TERMINAL_RESIZED);
  if (number == SIGCONT && !is_behind()) {
    enter();
    wake(TERMINAL_RESUMED);
  } else if (number == SIGCONT || number == SIGTSTP) {
    leave();
    // Stops for real: SIGSTOP can't be caught. SIGCONT is handled above.
    raise(SIGSTOP);
  }
  errno = error;
}

int terminal_is_shown(void) { return is_shown; }

int terminal_size(int output, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(output, TIOCGWINSZ, &size) != 0) return errno;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int terminal_take(int input, int output, int wake_end, const char *enter_with,
                  const char *leave_with) {
  if (is_taken) return EBUSY;
  if (tcgetattr(input, &mode_before) != 0) return errno;
  mode_raw = mode_before;
  mode_raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  mode_raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN);
  mode_raw.c_cc[VMIN] = 1;
  mode_raw.c_cc[VTIME] = 0;
  in_fd = input;
  out_fd = output;
  out_flags = fcntl(output, F_GETFL);
  wake_fd = wake_end;
  enter_text = enter_with;
  leave_text = leave_with;

  static int exits;
  if (!exits) exits = atexit(terminal_give_back) == 0;

  // The alternate stack for handlers after a stack overflow; it is that of the thread that takes the terminal.
  static char spare[1 << 16];
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
    stack = (stack_t){.ss_sp = spare, .ss_size = sizeof spare};
    sigaltstack(&stack, NULL);
  }

  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigfillset(&action.sa_mask);
  action.sa_sigaction = on_end;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int i = 0; i < end_count; i++) {
    sigaction(ends[i], NULL, &ends_before[i]);
    // Signals that the program ignores stay ignored.
    if (!(ends_before[i].sa_flags & SA_SIGINFO) && ends_before[i].sa_handler == SIG_IGN) continue;
    sigaction(ends[i], &action, NULL);
  }
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  action.sa_handler = on_other;
  for (int i = 0; i < other_count; i++) sigaction(others[i], &action, &others_before[i]);
  is_taken = 1;
  enter();
  return 0;
}

void terminal_give_back(void) {
  if (!atomic_exchange(&is_taken, 0)) return;
  for (int i = 0; i < other_count; i++) sigaction(others[i], &others_before[i], NULL);
  leave();
  for (int i = 0; i < end_count; i++) sigaction(ends[i], &ends_before[i], NULL);
}
