internal import Support

extension String {
  /// Whether both have the same bytes. `==` takes texts for equal that a server tells apart.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withBytes { bytes in other.withBytes { bytes.elementsEqual($0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A part of the bytes, without blanks around it.
  func trimmed(_ start: Int, _ end: Int) -> Self {
    Self(rebasing: self[start..<end].withoutBlanks)
  }

  /// Whether these are the letters of `literal`, which has small ones only, without regard to case.
  func spells(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    for at in 0..<count where self[at].asciiLowercased != literal.utf8Start[at] { return false }
    return true
  }

  /// Where the quotation that begins at `start` ends; `nil` where nothing closes it. In a
  /// quoted string, but not in an entity tag, a backslash takes the meaning of what follows it.
  func endOfQuotation(from start: Int, escapes: Bool = true) -> Int? {
    var at = start + 1
    while at < count {
      if self[at] == 0x22 { return at }
      at += escapes && self[at] == 0x5C ? 2 : 1
    }
    return nil
  }

  /// Calls `body` with the members of a list, blanks around them left out. A comma in quotation marks
  /// separates nothing; a mark that is never closed means nothing.
  func forEachMember(escapes: Bool = true, _ body: (Self) -> Void) {
    var start = 0
    var heedsQuotes = true
    while start <= count {
      var at = start
      while at < count, self[at] != 0x2C {
        if self[at] == 0x22, heedsQuotes {
          // An end that isn't there is looked for once, or many marks would take forever.
          if let end = endOfQuotation(from: at, escapes: escapes) {
            at = end
          } else {
            heedsQuotes = false
          }
        }
        at += 1
      }
      body(trimmed(start, at))
      start = at + 1
    }
  }

  /// A number of digits alone, at most `limit`; `nil` where it is something else.
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
