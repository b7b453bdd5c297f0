/// What `Content-Range` says: `items 0-19/523`, `items 0-19/*` or `items */523`.
struct ContentRange: Equatable {
  var unit: Substring
  /// The positions of the first and the last row sent; `nil` where none were.
  var rows: ClosedRange<Int>?
  /// How many rows there are in all; `nil` where that is not known.
  var total: Int?

  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2 else { return nil }
    let range = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard range.count == 2 else { return nil }
    unit = parts[0]
    if range[1] != "*" {
      guard let total = Self.number(range[1]) else { return nil }
      self.total = total
    }
    if range[0] == "*" { return }
    let ends = range[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    rows = first...last
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
