#if SQLITE
  internal import SQLiteFile

  extension SQLiteFailure {
    /// Returns the failure as a problem of the store at `path`.
    func problem(_ path: String) -> CacheProblem {
      let kind: CacheProblem.Kind =
        switch meaning {
        case .busy: .busy
        case .full: .full
        case .readOnly: .readOnly
        case .unusable: .unusable
        case .damaged, .refusedRow, .other: .failed
        }
      return CacheProblem(kind, "\(path): \(self)")
    }

    /// A failure for a readable database that is not one of a cache.
    static func invalidDatabase(_ text: String) -> SQLiteFailure {
      SQLiteFailure(code: nil, text: text)
    }
  }
#endif
