internal import Support

extension UnsafeBufferPointer<UInt8> {
  /// Returns a part of the bytes, without surrounding blanks.
  func trimmed(_ start: Int, _ end: Int) -> Self {
    Self(rebasing: self[start..<end].withoutBlanks)
  }

  /// Compares with a lowercase literal, ignoring ASCII case.
  func spells(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    for at in 0..<count where self[at].asciiLowercased != literal.utf8Start[at] { return false }
    return true
  }

  /// Returns the end of the quoted text that starts at `start`; `nil` if it is not closed. A backslash escapes
  /// the next byte in a quoted string, but not in an entity tag.
  func endOfQuotation(from start: Int, escapes: Bool = true) -> Int? {
    var at = start + 1
    while at < count {
      if self[at] == 0x22 { return at }
      at += escapes && self[at] == 0x5C ? 2 : 1
    }
    return nil
  }

  /// Calls `body` with the members of a list, without surrounding blanks. A comma inside quotes separates
  /// nothing. A quote that is never closed is ordinary text.
  func forEachMember(escapes: Bool = true, _ body: (Self) -> Void) {
    var start = 0
    var parsesQuotes = true
    while start <= count {
      var at = start
      while at < count, self[at] != 0x2C {
        if self[at] == 0x22, parsesQuotes {
          // Search for a missing end only once, or many quotes would take quadratic time.
          if let end = endOfQuotation(from: at, escapes: escapes) {
            at = end
          } else {
            parsesQuotes = false
          }
        }
        at += 1
      }
      body(trimmed(start, at))
      start = at + 1
    }
  }

  /// Parses a number of ASCII digits, capped at `limit`. Returns `nil` for anything else.
  func number(upTo limit: Int) -> Int? {
    guard !isEmpty else { return nil }
    var result = 0
    for byte in self {
      guard byte.isASCIIDigit else { return nil }
      result = Swift.min(limit, result * 10 + Int(byte & 15))
    }
    return result
  }
}
