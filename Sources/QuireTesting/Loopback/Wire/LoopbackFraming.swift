/// The framing that a request head declares, parsed in one pass over its bytes.
struct LoopbackFraming: Hashable, Sendable {
  /// The number of body bytes; zero if the head declares none.
  var contentLength = 0
  /// Whether the body is chunked.
  var isChunked = false
  /// Whether the client wants the connection to end after the response.
  var closes = false
  /// Whether the client waits for `100 Continue` before it sends the body.
  var expectsContinue = false
  /// Whether the response has no body because of the method.
  var isHead = false
  /// The reason that the head can't be served; the response is 400.
  var problem: String?

  init(head: [UInt8]) {
    head.withUnsafeBytes { bytes in
      var start = 0
      var isFirst = true
      while let end = bytes[start...].firstIndex(of: 0x0A) {
        let stop = end > start && bytes[end - 1] == 0x0D ? end - 1 : end
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<stop])
        if isFirst { readRequestLine(line) } else { readField(line) }
        isFirst = false
        start = end + 1
      }
    }
  }

  private mutating func readRequestLine(_ line: UnsafeRawBufferPointer) {
    isHead = Self.hasPrefix(line, "head ")
    let spaces = line.lazy.filter { $0 == 0x20 }.count
    guard spaces == 2, line.count > 9 else {
      problem = "the request line is not a method, a target and a version"
      return
    }
    let version = UnsafeRawBufferPointer(rebasing: line[(line.count - 9)...])
    if Self.hasPrefix(version, " http/1.0") {
      closes = true
    } else if !Self.hasPrefix(version, " http/1.1") {
      problem = "the version is not HTTP/1.1 or HTTP/1.0"
    }
  }

  private mutating func readField(_ line: UnsafeRawBufferPointer) {
    // Four names matter, and they start with three letters; others are skipped.
    guard let first = line.first else { return }
    switch first | 0x20 {
    case 0x63:
      if let value = Self.value(of: "content-length:", in: line) { readLength(value) }
      if let value = Self.value(of: "connection:", in: line) {
        closes = Self.hasPrefix(value, "close") || (closes && !Self.hasPrefix(value, "keep-alive"))
      }
    case 0x74:
      if let value = Self.value(of: "transfer-encoding:", in: line) {
        isChunked = Self.hasPrefix(value, "chunked")
        if !isChunked { problem = "the transfer encoding is not chunked" }
      }
    case 0x65:
      if let value = Self.value(of: "expect:", in: line) {
        expectsContinue = Self.hasPrefix(value, "100-continue")
      }
    default: break
    }
  }

  private mutating func readLength(_ value: UnsafeRawBufferPointer) {
    var length = 0
    for byte in value {
      guard (0x30...0x39).contains(byte), length < 1 << 50 else {
        problem = "the content length is not a number"
        return
      }
      length = length * 10 + Int(byte - 0x30)
    }
    if value.isEmpty { problem = "the content length is empty" }
    contentLength = length
  }

  /// Returns the bytes after a lowercase `name` with its colon, without surrounding blanks.
  private static func value(
    of name: StaticString, in line: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    guard hasPrefix(line, name) else { return nil }
    var (start, end) = (name.utf8CodeUnitCount, line.count)
    while start < end, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
    while end > start, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: line[start..<end])
  }

  private static func hasPrefix(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count >= count else { return false }
    for index in 0..<count {
      guard LoopbackHeader.lowercased(bytes[index]) == text.utf8Start[index] else { return false }
    }
    return true
  }
}
