/// Strings that were read before: a list repeats the names of its authors and kinds.
struct InternedStrings {
  private struct Slot {
    var prefix: UInt64
    var string: String
  }

  private var slots: [Slot] = []
  private static let count = 256

  mutating func string(_ tape: JSONTape, _ index: Int) -> String {
    let bytes = tape.utf8(index)
    // So few bytes are kept within the string itself.
    guard bytes.count > 15 else { return tape.string(index) }
    if slots.isEmpty { slots = Array(repeating: Slot(prefix: 0, string: ""), count: Self.count) }
    let prefix = tape.prefix(bytes)
    let tail = UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: bytes.count - 8, as: UInt64.self)
    let mixed =
      (prefix ^ tail &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)) &* 0xFF51_AFD7_ED55_8CCD
    let slot = Int(truncatingIfNeeded: mixed &>> 56)
    if slots[slot].prefix == prefix, slots[slot].string.utf8.elementsEqual(bytes) {
      return slots[slot].string
    }
    let string = tape.string(index)
    slots[slot] = Slot(prefix: prefix, string: string)
    return string
  }
}
