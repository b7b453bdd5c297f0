/// Gzip members without a compressor: stored blocks, and runs of zeros.
enum LoopbackGzip {
  private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// Returns bytes in stored blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out = head
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest.removeFirst(block.count)
      out.append(rest.isEmpty ? 1 : 0)
      append(UInt32(block.count) | ~UInt32(block.count) << 16, to: &out)
      out += block
    } while !rest.isEmpty
    append(checksum(bytes), to: &out)
    append(UInt32(truncatingIfNeeded: bytes.count), to: &out)
    return out
  }

  /// Returns the given number of zeros, 1,032 to the byte.
  ///
  /// One block with its own code: a literal zero is `10`, the end of the block `11`, and a run of 258 with
  /// distance one `00`. All runs together are therefore a sequence of zero bits.
  static func zeros(_ count: Int) -> [UInt8] {
    var bits = Bits(bytes: head)
    bits.append(1, count: 1)  // the last block
    bits.append(2, count: 2)  // with codes that follow
    bits.append(29, count: 5)  // 286 literals and lengths
    bits.append(0, count: 5)  // 1 distance
    bits.append(14, count: 4)  // 18 code lengths, in the order of the format: 16, 17, 18, 0, …
    for length: UInt32 in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] {
      bits.append(length, count: 3)
    }
    // In these codes `0` repeats zero 11 to 138 times, `10` is length one and `11` length two.
    bits.append(0b11, count: 2)  // literal 0
    bits.append(127 << 1, count: 8)  // 138 unused
    bits.append(106 << 1, count: 8)  // 117 unused
    bits.append(0b11, count: 2)  // 256, the end of the block
    bits.append(17 << 1, count: 8)  // 28 unused
    bits.append(0b01, count: 2)  // 285, the run of 258
    bits.append(0b01, count: 2)  // distance one
    if count > 0 {
      bits.append(0b01, count: 2)
      bits.appendZeros((count - 1) / 258 * 2)
      for _ in 0..<(count - 1) % 258 { bits.append(0b01, count: 2) }
    }
    bits.append(0b11, count: 2)
    var out = bits.bytes
    append(checksum(zeros: count), to: &out)
    append(UInt32(truncatingIfNeeded: count), to: &out)
    return out
  }

  /// Returns the CRC-32 of bytes.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var state = UInt32.max
    for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
    return ~state
  }

  /// Returns the CRC-32 of the given number of zeros. The effect of one zero on the state is linear, so its
  /// powers are computed by squaring.
  private static func checksum(zeros count: Int) -> UInt32 {
    var power = (0..<32).map { bit -> UInt32 in
      let state = UInt32(1) << bit
      return table[Int(state & 0xFF)] ^ (state >> 8)
    }
    var state = UInt32.max
    var rest = count
    while rest > 0 {
      if rest & 1 == 1 { state = applied(power, to: state) }
      power = power.map { applied(power, to: $0) }
      rest >>= 1
    }
    return ~state
  }

  private static func applied(_ columns: [UInt32], to state: UInt32) -> UInt32 {
    columns.indices.reduce(0) { state >> $1 & 1 == 1 ? $0 ^ columns[$1] : $0 }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Packs bits from the lowest up.
  private struct Bits {
    var bytes: [UInt8]
    var used = 0

    mutating func append(_ value: UInt32, count: Int) {
      for bit in 0..<count {
        if used == 0 { bytes.append(0) }
        if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << used }
        used = (used + 1) % 8
      }
    }

    mutating func appendZeros(_ count: Int) {
      var rest = count
      while rest > 0, used != 0 {
        append(0, count: 1)
        rest -= 1
      }
      bytes += [UInt8](repeating: 0, count: rest / 8)
      append(0, count: rest % 8)
    }
  }
}
