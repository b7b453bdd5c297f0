internal import ServerAPI

/// Detects that a server sends the same pages again and again, so that the list would never end.
package struct LoopDetector: Hashable, Sendable {
  /// How often the same content may come again in a row where rows have no ids.
  let limit: Int
  /// The pages whose rows have no ids.
  private var seen: Set<Int> = []
  private var last: Int?
  private var repetitions = 0
  /// The pages without new rows since the last page that had one.
  private var unproductive: Set<Int> = []

  package init(limit: Int = 10) { self.limit = limit }

  /// Whether a page whose rows have no ids is a repeated one.
  ///
  /// Equal rows may be distinct there, and dropping them would lose data. So a page counts as repeated only if
  /// the same key returned the same content before, or if the same content came too often in a row.
  ///
  /// - Parameter countsEmptyPages: Whether empty pages in a row count as the same content.
  mutating func isRepeat(
    at key: PageKey, fingerprint: Int, isEmpty: Bool, countsEmptyPages: Bool
  ) -> Bool {
    let counts = countsEmptyPages || !isEmpty
    repetitions = counts && fingerprint == last ? repetitions + 1 : 0
    last = fingerprint
    return !seen.insert(Self.mark(key, fingerprint, isEmpty)).inserted || repetitions > limit
  }

  /// Records a page with new rows.
  mutating func progress() {
    unproductive = []
  }

  /// Whether a page without new rows came before, since the last page that had one.
  ///
  /// The cursor proves nothing: a constant cursor is fine as long as there are new rows. Empty pages all have the same
  /// content, so for them the key must be equal too.
  ///
  /// - Parameter isReread: Whether the list is being read again from an earlier page. Rows may move meanwhile, so equal
  ///   content under another key is no loop.
  mutating func isLoop(_ page: ReadPage, isReread: Bool) -> Bool {
    let key = page.isEmpty || isReread ? page.key : nil
    return !unproductive.insert(Self.mark(key, page.fingerprint, page.isEmpty)).inserted
  }

  private static func mark(_ key: PageKey?, _ fingerprint: Int, _ isEmpty: Bool) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(fingerprint)
    hasher.combine(isEmpty)
    return hasher.finalize()
  }
}
