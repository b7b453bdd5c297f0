#if SQLITE
  internal import CSQLite

  /// A failure of the database.
  struct SQLiteFailure: Error, CustomStringConvertible {
    /// The error of SQLite; none where the failure was found by reading a database that is not one of a cache.
    var code: Int32?
    var text: String

    /// The text with the error of SQLite.
    var description: String { code.map { "\(text) (SQLite error \($0))" } ?? text }

    /// The meaning of a failure for a cache.
    enum Meaning {
      /// Another connection holds a lock; a later attempt may succeed.
      case busy
      /// The file is damaged or not a cache.
      case damaged
      case full
      case readOnly
      case unusable
      case other
    }

    var meaning: Meaning {
      guard let code else { return .damaged }
      return switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
      // A file that can't be read, such as a truncated one, is no better than one with wrong content.
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_MISMATCH, SQLITE_IOERR: .damaged
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .unusable
      default: .other
      }
    }

    /// Returns the failure as a problem of the store at `path`.
    func problem(_ path: String) -> CacheProblem {
      let kind: CacheProblem.Kind =
        switch meaning {
        case .busy: .busy
        case .full: .full
        case .readOnly: .readOnly
        case .unusable: .unusable
        case .damaged, .other: .failed
        }
      return CacheProblem(kind, "\(path): \(self)")
    }
  }

  extension SQLiteFailure {
    /// A failure for a readable database that is not one of a cache.
    static func invalidDatabase(_ text: String) -> SQLiteFailure {
      SQLiteFailure(code: nil, text: text)
    }
  }
#endif
