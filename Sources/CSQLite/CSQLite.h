#ifndef CSQLITE_H
#define CSQLITE_H

// Only a build with a cache on disk imports this module.
#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing. Install libsqlite3-dev, or depend on Quire without the trait SQLite."
#endif

#include <pthread.h>
#include <sqlite3.h>

// A cast that Swift can't import. The bytes are copied before the call returns.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int place, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, place, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The bytes have to stay as they are until the statement is reset or another value is bound.
static inline int csqlite_bind_borrowed_text(sqlite3_stmt *statement, int place, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, place, bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

// A variadic call, which Swift can't make.
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// Starts a thread that nobody waits for. The types of a thread differ from system to system.
static inline int csqlite_start_thread(void *(*entry)(void *), void *context) {
  pthread_attr_t attributes;
  pthread_t thread;
  int code = pthread_attr_init(&attributes);
  if (code != 0) return code;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  code = pthread_create(&thread, &attributes, entry, context);
  pthread_attr_destroy(&attributes);
  return code;
}

#endif
