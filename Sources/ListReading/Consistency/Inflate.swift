/// Decompresses small texts in a zlib or gzip frame, as some cursors are. It is bounded, and checks the frame and not
/// the checksum: what it yields is only searched for numbers.
enum Inflate {
  private static let mostBytes = 4096

  /// Returns the content of a frame; `nil` where the bytes are not one.
  static func text(of bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 6, bytes.count <= mostBytes else { return nil }
    if bytes[0] & 0x0F == 8, bytes[0] >> 4 <= 7, bytes[1] & 0x20 == 0,
      (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31)
    {
      return content(of: bytes, from: 2)
    }
    // Only the plain frame of gzip, and one with the name of a file.
    guard bytes.count > 18, bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8,
      bytes[3] & ~0x08 == 0
    else { return nil }
    var start = 10
    if bytes[3] & 0x08 != 0 {
      guard let end = bytes[10...].firstIndex(of: 0) else { return nil }
      start = end + 1
    }
    return content(of: bytes, from: start)
  }

  private static func content(of bytes: [UInt8], from start: Int) -> [UInt8]? {
    var bits = Bits(bytes: bytes, index: start)
    var output: [UInt8] = []
    while true {
      guard let isLast = bits.take(1), let kind = bits.take(2) else { return nil }
      let isRead: Bool
      switch kind {
      case 0: isRead = copyStored(&bits, to: &output)
      case 1: isRead = copy(&bits, to: &output, .fixed, .fixedDistances)
      case 2:
        guard let (lengths, distances) = codes(&bits) else { return nil }
        isRead = copy(&bits, to: &output, lengths, distances)
      default: return nil
      }
      guard isRead, output.count <= mostBytes else { return nil }
      if isLast == 1 { return output }
    }
  }

  private static func copyStored(_ bits: inout Bits, to output: inout [UInt8]) -> Bool {
    bits.align()
    guard let size = bits.take(16), bits.take(16) == size ^ 0xFFFF, size <= mostBytes else {
      return false
    }
    for _ in 0..<size {
      guard let byte = bits.take(8) else { return false }
      output.append(UInt8(byte))
    }
    return true
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]

  private static func copy(
    _ bits: inout Bits, to output: inout [UInt8], _ lengths: Code, _ distances: Code
  ) -> Bool {
    while output.count <= mostBytes {
      guard let symbol = lengths.next(&bits) else { return false }
      if symbol == 256 { return true }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      let index = symbol - 257
      guard index < lengthBases.count else { return false }
      let more = index < 8 || index == 28 ? 0 : index / 4 - 1
      guard let extra = bits.take(more), let place = distances.next(&bits),
        place < distanceBases.count,
        let further = bits.take(place < 4 ? 0 : place / 2 - 1)
      else { return false }
      let distance = distanceBases[place] + further
      guard distance <= output.count else { return false }
      for _ in 0..<(lengthBases[index] + extra) { output.append(output[output.count - distance]) }
    }
    return false
  }

  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// Reads the codes of a block that has its own.
  private static func codes(_ bits: inout Bits) -> (Code, Code)? {
    guard let lengths = bits.take(5), let distances = bits.take(5), let count = bits.take(4) else {
      return nil
    }
    var own = [Int](repeating: 0, count: 19)
    for index in 0..<(count + 4) {
      guard let size = bits.take(3) else { return nil }
      own[order[index]] = size
    }
    let code = Code(own)
    let all = lengths + 257 + distances + 1
    var sizes: [Int] = []
    while sizes.count < all {
      guard let symbol = code.next(&bits) else { return nil }
      switch symbol {
      case 0...15: sizes.append(symbol)
      case 16:
        guard let last = sizes.last, let times = bits.take(2) else { return nil }
        sizes += [Int](repeating: last, count: times + 3)
      case 17:
        guard let times = bits.take(3) else { return nil }
        sizes += [Int](repeating: 0, count: times + 3)
      default:
        guard let times = bits.take(7) else { return nil }
        sizes += [Int](repeating: 0, count: times + 11)
      }
    }
    guard sizes.count == all else { return nil }
    return (Code(Array(sizes.prefix(lengths + 257))), Code(Array(sizes.dropFirst(lengths + 257))))
  }

  /// Reads bits, the lowest of a byte first.
  private struct Bits {
    let bytes: [UInt8]
    var index: Int
    private var buffer = 0
    private var count = 0

    init(bytes: [UInt8], index: Int) {
      self.bytes = bytes
      self.index = index
    }

    mutating func take(_ wanted: Int) -> Int? {
      while count < wanted {
        guard index < bytes.count else { return nil }
        buffer |= Int(bytes[index]) << count
        index += 1
        count += 8
      }
      defer {
        buffer >>= wanted
        count -= wanted
      }
      return buffer & ((1 << wanted) - 1)
    }

    mutating func align() { _ = take(count % 8) }
  }

  /// A Huffman code, by the number of symbols of each length.
  private struct Code {
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols: [Int] = []

    init(_ sizes: [Int]) {
      for size in sizes where size > 0 { counts[size] += 1 }
      for size in 1...15 { symbols += sizes.indices.filter { sizes[$0] == size } }
    }

    func next(_ bits: inout Bits) -> Int? {
      var (code, first, index) = (0, 0, 0)
      for size in 1...15 {
        guard let bit = bits.take(1) else { return nil }
        code |= bit
        if code - first < counts[size] { return symbols[index + code - first] }
        index += counts[size]
        first = (first + counts[size]) << 1
        code <<= 1
      }
      return nil
    }

    static let fixed = Code(
      [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
        + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))
    static let fixedDistances = Code([Int](repeating: 5, count: 30))
  }
}
