internal import Quire

/// Bytes that are about to be written to the end of a file, as its resume file announces them.
///
/// After a kill they show which bytes at the end of the file are those of the killed crawl. They are compared in blocks,
/// at the places where an interrupted write ends.
struct AnnouncedRows: Hashable, Sendable {
  /// The size of a block. The pages of a file are multiples of it.
  private static let block = 256

  /// The file before the write.
  let file: Output.RegularFile
  let count: Int
  private let digests: [UInt32]

  init(_ bytes: [UInt8], to file: Output.RegularFile) {
    (self.file, count) = (file, bytes.count)
    digests = Self.digests(of: bytes[...], at: file.size)
  }

  /// What a file has of the announced bytes.
  enum Found: Hashable, Sendable {
    case all
    /// The first ones, or none.
    case part
    /// Other bytes, which follow as many as the file has at least of the crawl.
    case others(after: Int)
  }

  /// Compares the announced bytes with those of the file.
  ///
  /// - Parameters:
  ///   - size: The size of the file.
  ///   - read: Reads bytes of the file; `nil` if they can't be read.
  func found(in size: Int, _ read: (Range<Int>) -> [UInt8]?) -> Found {
    let start = file.size
    guard size > start else { return count == 0 ? .all : .part }
    let own = start..<start + min(count, size - start)
    guard let bytes = read(own) else {
      // Nothing is cut from a file of the right size.
      return size == start + count ? .all : .others(after: start)
    }
    let isWhole = own.count == count
    let rest = isWhole ? 0 : own.upperBound % Self.block
    let known = bytes.dropLast(min(rest, bytes.count))
    for (index, digest) in Self.digests(of: known, at: start).enumerated()
    where !digests.indices.contains(index) || digests[index] != digest {
      return .others(after: max(start, (start / Self.block + index) * Self.block))
    }
    if size > own.upperBound { return .others(after: own.upperBound) }
    if isWhole { return .all }
    // Others write whole lines.
    let endsLine = known.count < bytes.count && bytes.last == 0x0A
    return endsLine ? .others(after: start + known.count) : .part
  }

  /// Returns a digest of each block, the first and the last of which may be shorter.
  private static func digests(of bytes: ArraySlice<UInt8>, at start: Int) -> [UInt32] {
    bytes.withUnsafeBytes { bytes in
      var digests: [UInt32] = []
      digests.reserveCapacity(bytes.count / block + 2)
      var next = 0
      while next < bytes.count {
        let end = min(bytes.count, next + block - (start + next) % block)
        digests.append(digest(of: UnsafeRawBufferPointer(rebasing: bytes[next..<end])))
        next = end
      }
      return digests
    }
  }

  private static func digest(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    var sum = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var next = 0
    while next + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self))
      sum = (sum ^ word) &* 0xD6E8_FEB8_6659_FD93
      sum ^= sum >> 32
      next += 8
    }
    for byte in bytes[next...] {
      sum = (sum ^ UInt64(byte)) &* 0xD6E8_FEB8_6659_FD93
      sum ^= sum >> 32
    }
    return UInt32(truncatingIfNeeded: sum ^ sum >> 32)
  }
}

extension AnnouncedRows {
  /// The number of bytes and their digests, in hexadecimal digits.
  var json: JSONAny { .array([.int(count), .string(hexadecimal)]) }

  private var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(8 * digests.count)
    for digest in digests {
      for shift in stride(from: UInt32(28), through: 0, by: -4) {
        text.append(digits[Int(digest >> shift & 15)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  init?(_ json: JSONAny?, to file: Output.RegularFile?) {
    guard let parts = json?.array, parts.count == 2, let file, let count = parts[0].int,
      count >= 0, let text = parts[1].string
    else { return nil }
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 8) else { return nil }
    (self.file, self.count) = (file, count)
    digests = stride(from: 0, to: digits.count, by: 8).map { start in
      digits[start..<start + 8].reduce(0) { $0 << 4 | UInt32($1) }
    }
  }
}
