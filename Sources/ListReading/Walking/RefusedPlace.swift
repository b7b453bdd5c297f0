internal import ServerAPI

/// Decides where a walk continues whose server refuses the cursor or link of a page: they expire, and a resumed walk
/// may come late.
///
/// It continues with the page that led there, which may lead on with a new cursor, else at the start of the list. A
/// place that is refused twice is refused for another reason.
struct RefusedPlace {
  /// How often a walk goes back before it has a new row.
  static let limit = 3

  /// The walk up to the page that was delivered last; `nil` where it is not known.
  private var last: PageWalk.Checkpoint?
  private var refused: Set<PageKey> = []
  private var attempts = 0
  /// How often the walk went back.
  private(set) var count = 0

  /// Records a page that was delivered.
  mutating func deliver(_ page: PageWalk.Page) {
    last = page.checkpoint
    // They were delivered, and come again.
    last?.rowsToSkip += page.rows.count
    if !page.rows.isEmpty { attempts = 0 }
  }

  /// Returns where to continue after a page failed: at the checkpoint, or at the start where there is none. Returns
  /// `nil` if that can't help.
  mutating func way(back error: LoadError, from key: PageKey?) -> Way? {
    guard error.isRefusal, let key, attempts < Self.limit
    else { return nil }
    switch key.place {
    case .after, .url: break
    case .start, .number, .offset, .before, .trial: return nil
    }
    guard refused.insert(key).inserted else { return nil }
    attempts += 1
    count += 1
    defer { last = nil }
    return last.map { .checkpoint($0) } ?? .start
  }

  enum Way {
    case checkpoint(PageWalk.Checkpoint)
    case start
  }
}

extension LoadError {
  /// Whether the page had too little memory beside the others in flight.
  var exceedsMemory: Bool {
    if case .request(let error) = self, case .tooLarge(.memory, _) = error.kind {
      true
    } else {
      false
    }
  }
}
