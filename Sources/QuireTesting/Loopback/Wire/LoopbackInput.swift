internal import Support

/// Reads messages from a stream; bytes after one message are kept for the next.
package struct LoopbackInput {
  /// The reason that a message could not be read.
  package enum Failure: Error, Hashable {
    /// The connection ended.
    case ended
    /// The head is larger than any client needs.
    case headTooLarge
    /// The chunks of the body are malformed.
    case badChunk
  }

  private static let headLimit = 1 << 20

  let stream: LoopbackStream
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)
  private var start = 0
  private var end = 0

  package init(_ stream: LoopbackStream) { self.stream = stream }

  /// Whether there are unread bytes that arrived together with earlier ones.
  var hasBytes: Bool { start < end }

  /// Reads the next head, including its empty line.
  package mutating func head() throws(Failure) -> [UInt8] {
    var searched = start
    while true {
      if let stop = endOfHead(from: searched) { return take(stop - start) }
      guard end - start < Self.headLimit else { throw .headTooLarge }
      let unread = max(start, end - 3) - start
      try fill()
      searched = start + unread
    }
  }

  /// Reads the next `count` bytes.
  package mutating func bytes(_ count: Int) throws(Failure) -> [UInt8] {
    var out: [UInt8] = []
    try body(count, keeping: count, into: &out)
    return out
  }

  /// Returns the next byte without consuming it.
  package mutating func firstByte() throws(Failure) -> UInt8 {
    if start == end { try fill() }
    return buffer[start]
  }

  /// Removes and returns the bytes that have arrived but weren't requested.
  package mutating func drain() -> [UInt8] { take(end - start) }

  /// Appends the next `count` bytes as they arrive; those beyond `limit` are dropped.
  mutating func body(_ count: Int, keeping limit: Int, into out: inout [UInt8]) throws(Failure) {
    var rest = count
    while rest > 0 {
      if start == end { try fill() }
      let size = min(rest, end - start)
      let kept = min(size, max(0, limit - out.count))
      out += buffer[start..<start + kept]
      start += size
      rest -= size
    }
  }

  /// Reads a chunked body; trailers are dropped.
  mutating func chunkedBody(keeping limit: Int, into out: inout [UInt8]) throws(Failure) {
    while true {
      let line = try line()
      let digits = line.prefix { $0 != 0x3B && $0 != 0x20 }
      guard digits.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size < 1 << 50
      else { throw .badChunk }
      if size == 0 { break }
      try body(size, keeping: limit, into: &out)
      guard try self.line().isEmpty else { throw .badChunk }
    }
    while try !line().isEmpty {}
  }

  /// Reads the bytes up to CR LF, and consumes that too.
  private mutating func line() throws(Failure) -> [UInt8] {
    var out: [UInt8] = []
    while true {
      if start == end { try fill() }
      let byte = buffer[start]
      start += 1
      if byte == 0x0A, out.last == 0x0D { return out.dropLast() }
      guard out.count < 8192 else { throw .badChunk }
      out.append(byte)
    }
  }

  private func endOfHead(from position: Int) -> Int? {
    buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      var position = position
      while position < end, let found = memchr(base + position, 0x0A, end - position) {
        position = UnsafeRawPointer(found) - base + 1
        if position - start >= 4, bytes[position - 2] == 0x0D, bytes[position - 3] == 0x0A,
          bytes[position - 4] == 0x0D
        {
          return position
        }
      }
      return nil
    }
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { start += count }
    return Array(buffer[start..<start + count])
  }

  private mutating func fill() throws(Failure) {
    if start == end {
      start = 0
      end = 0
    } else if end == buffer.count {
      buffer.replaceSubrange(0..<start, with: [])
      buffer += [UInt8](repeating: 0, count: max(start, buffer.count))
      end -= start
      start = 0
    }
    let room = end
    let count = buffer.withUnsafeMutableBytes { bytes in
      stream.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[room...]))
    }
    guard count > 0 else { throw .ended }
    end += count
  }
}
