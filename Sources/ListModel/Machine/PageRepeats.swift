/// Notices pages that come again in a list whose items can't be told apart.
///
/// Equal rows may well be honest there, and dropping them would lose them. So a page counts as the same
/// only when it was asked for by the same key and has the same content, or when its content came more
/// often in a row than a search for something new may take.
struct PageRepeats: Hashable {
  let limit: Int
  private var seen: Set<Int> = []
  private var last: Int?
  private var inARow = 0

  init(limit: Int) { self.limit = limit }

  mutating func isRepeat(_ page: PageMark) -> Bool {
    inARow = page.fingerprint == last ? inARow + 1 : 0
    last = page.fingerprint
    return !seen.insert(page.hashValue).inserted || inARow > limit
  }

  mutating func forget() { self = PageRepeats(limit: limit) }
}

/// Tells the content of one page from that of another.
struct PageMark: Hashable {
  var key: PageKey
  var fingerprint: Int
  var isEmpty: Bool
}
