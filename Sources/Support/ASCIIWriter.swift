/// Writes ASCII into the memory of one string. A string that is appended to piece by piece takes five times as long.
package struct ASCIIWriter: ~Copyable {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  fileprivate init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

  /// Appends a text; what has no room is left out.
  package mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes in
      let size = min(bytes.count, room.count - count)
      _ = UnsafeMutableBufferPointer(rebasing: room[count..<count + size])
        .initialize(fromContentsOf: bytes.prefix(size))
      count += size
    }
  }

  /// Appends a number in decimal.
  package mutating func append(_ number: Int) {
    if number < 0 { append("-") }
    var rest = number.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      for place in start..<digits.count where count < room.count {
        room[count] = digits[place]
        count += 1
      }
    }
  }

  fileprivate consuming func end() -> Int { count }
}

extension String {
  /// Creates a text of at most 128 bytes.
  package static func ascii(_ write: (inout ASCIIWriter) -> Void) -> String {
    String(unsafeUninitializedCapacity: 128) { room in
      var writer = ASCIIWriter(room)
      write(&writer)
      return writer.end()
    }
  }
}
