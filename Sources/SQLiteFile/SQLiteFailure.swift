#if SQLITE
  internal import CSQLite

  /// A failure of the database.
  package struct SQLiteFailure: Error, CustomStringConvertible {
    /// The error of SQLite; none where the failure was found by reading a database with another content.
    package var code: Int32?
    package var text: String

    package init(code: Int32?, text: String) { (self.code, self.text) = (code, text) }

    /// The text with the error of SQLite.
    package var description: String { code.map { "\(text) (SQLite error \($0))" } ?? text }

    /// The meaning of a failure.
    package enum Meaning {
      /// Another connection holds a lock; a later attempt may succeed.
      case busy
      /// The file is damaged or no database.
      case damaged
      case full
      case readOnly
      case unusable
      /// A row breaks a rule of its table, or is too large.
      case refusedRow
      case other
    }

    package var meaning: Meaning {
      guard let code else { return .damaged }
      return switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
      // A file that can't be read, such as a truncated one, is no better than one with wrong content.
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_IOERR: .damaged
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH: .refusedRow
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .unusable
      default: .other
      }
    }
  }
#endif
