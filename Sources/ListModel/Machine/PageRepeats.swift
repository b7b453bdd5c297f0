/// Detects repeated pages in a list whose items have no ids.
///
/// Equal rows may be distinct there, and dropping them would lose data. So a page counts as repeated only if
/// the same key returned the same content before, or if the same content arrived more often in a row than a
/// search for new rows may take.
struct PageRepeats: Hashable {
  let limit: Int
  private var seen: Set<Int> = []
  private var last: Int?
  private var repetitions = 0

  init(limit: Int) { self.limit = limit }

  mutating func isRepeat(_ page: PageMark) -> Bool {
    repetitions = page.fingerprint == last ? repetitions + 1 : 0
    last = page.fingerprint
    return !seen.insert(page.hashValue).inserted || repetitions > limit
  }

  mutating func forget() { self = PageRepeats(limit: limit) }
}

/// Identifies the content of a page.
struct PageMark: Hashable {
  var key: PageKey
  var fingerprint: Int
  var isEmpty: Bool
}
