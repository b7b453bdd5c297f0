internal import CSQLite

/// What the database said when it could not do something.
struct SQLiteFailure: Error {
  var code: Int32
  var text: String

  /// What it means for a cache.
  enum Meaning {
    /// Somebody else holds it; later it will do.
    case busy
    /// The file is not what it should be.
    case damaged
    case full
    case readOnly
    case unusable
    case other
  }

  var meaning: Meaning {
    if code == SQLITE_IOERR | 2 << 8 { return .damaged }  // It ends too early.
    return switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_MISMATCH: .damaged
    case SQLITE_FULL: .full
    case SQLITE_READONLY: .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .unusable
    default: .other
    }
  }

  /// The same as a problem of the store at `path`.
  func problem(_ path: String) -> CacheProblem {
    let kind: CacheProblem.Kind =
      switch meaning {
      case .busy: .busy
      case .full: .full
      case .readOnly: .readOnly
      case .unusable: .unusable
      case .damaged, .other: .failed
      }
    return CacheProblem(kind, "\(path): \(text) (SQLite error \(code))")
  }
}

extension SQLiteFailure {
  /// A database that can be read, but is not one of a cache.
  static func unfit(_ text: String) -> SQLiteFailure {
    SQLiteFailure(code: SQLITE_NOTADB, text: text)
  }
}

/// What went wrong, the latest last.
struct ProblemLog {
  static let limit = 32

  private(set) var problems: [CacheProblem] = []
  /// What has been said and goes on.
  private var lasting: Set<CacheProblem.Kind> = []

  /// Notes a problem, unless it is one that goes on and was noted.
  mutating func add(_ problem: CacheProblem) {
    switch problem.kind {
    case .brokenEntry, .recreated: if problems.last == problem { return }
    case .insecure, .unusable, .full, .readOnly, .busy, .failed:
      guard lasting.insert(problem.kind).inserted else { return }
    }
    if problems.count == Self.limit { problems.removeFirst() }
    problems.append(problem)
  }

  /// Something was written, so what kept it from being written is over.
  mutating func end() { lasting.removeAll(keepingCapacity: true) }
}
