internal import Quire
internal import Support

extension JSONView {
  /// Appends rows as the server sent them, each on its own line.
  static func appendLines(of rows: some Collection<JSONView>, to bytes: inout [UInt8]) {
    withExtendedLifetime(rows) {
      guard let first = rows.first else { return }
      var walk = JSONTextWalk(first.document)
      var run = RowRun(walk.unsafeText(of: first))
      for row in rows.dropFirst() {
        if walk.document !== row.document { walk = JSONTextWalk(row.document) }
        let text = walk.unsafeText(of: row)
        if !run.add(text) {
          run.appendLines(to: &bytes)
          run = RowRun(text)
        }
      }
      run.appendLines(to: &bytes)
    }
  }

  /// The value as the server sent it, joined to one line if it has several.
  var oneLine: String {
    var bytes: [UInt8] = []
    appendOneLine(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value as the server sent it, joined to one line if it has several.
  func appendOneLine(to bytes: inout [UInt8]) {
    withText { $0.appendOneLine(to: &bytes) }
  }
}

/// Rows that follow each other in a text, with a comma between two of them and nothing else.
private struct RowRun {
  private let start: UnsafePointer<UInt8>?
  /// The number of bytes up to the end of each row.
  private var ends: [Int]
  /// The number of all bytes.
  private var count: Int

  init(_ first: UnsafeBufferPointer<UInt8>) {
    (start, ends, count) = (first.baseAddress, [first.count], first.count)
  }

  /// Adds a row, unless it doesn't follow the last one.
  mutating func add(_ row: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start, row.baseAddress == start + count + 1 else { return false }
    count += 1 + row.count
    ends.append(count)
    return true
  }

  /// Appends the rows in one piece, with line feeds in place of the commas, or one by one where they have line breaks.
  func appendLines(to bytes: inout [UInt8]) {
    let text = UnsafeBufferPointer(start: start, count: count)
    if !text.hasLineBreaks {
      let before = bytes.count
      if bytes.isEmpty { bytes.reserveCapacity(count + 1) }
      bytes.append(contentsOf: text)
      bytes.append(0x0A)
      for end in ends { bytes[before + end] = 0x0A }
      return
    }
    var next = 0
    for end in ends {
      UnsafeBufferPointer(rebasing: text[next..<end]).appendOneLine(to: &bytes)
      bytes.append(0x0A)
      next = end + 1
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var hasLineBreaks: Bool { contains(0x0A) || contains(0x0D) }

  /// Appends JSON, joined to one line if it has several.
  fileprivate func appendOneLine(to bytes: inout [UInt8]) {
    guard hasLineBreaks else {
      bytes.append(contentsOf: self)
      return
    }
    var index = 0
    while index < count {
      let start = index
      index += 1
      if self[start] == 0x22 {
        index = JSONText.endOfString(at: start, in: UnsafeRawBufferPointer(self)) ?? count
        bytes.append(contentsOf: self[start..<index])
      } else if !self[start].isJSONBlank {
        bytes.append(self[start])
      }
    }
  }

  /// Whether it has a byte.
  fileprivate func contains(_ byte: UInt8) -> Bool {
    guard let baseAddress else { return false }
    return memchr(baseAddress, Int32(byte), count) != nil
  }
}
