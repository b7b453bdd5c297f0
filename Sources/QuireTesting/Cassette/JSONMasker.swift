internal import ServerAPI

/// Rewrites JSON so that scalars under secret names become the marker. It reads tokens and checks
/// no grammar: what is not JSON passes through.
struct JSONMasker {
  private let bytes: [UInt8]
  private let isSecret: (String) -> Bool
  private var result: [UInt8] = []
  private var index = 0
  private var lastString: Range<Int>?
  private var depth = 0
  /// The depth of the container that is masked whole.
  private var maskedDepth: Int?
  private var masksNext = false

  init(_ bytes: [UInt8], isSecret: @escaping (String) -> Bool) {
    self.bytes = bytes
    self.isSecret = isSecret
  }

  mutating func run() -> [UInt8] {
    result.reserveCapacity(bytes.count)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): string()
      case UInt8(ascii: ":"): colon()
      case UInt8(ascii: "{"), UInt8(ascii: "["): open()
      case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
      case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D: copy(1)
      default: scalar()
      }
    }
    return result
  }

  private mutating func copy(_ count: Int) {
    result += bytes[index..<index + count]
    index += count
  }

  private mutating func open() {
    if masksNext { maskedDepth = depth }
    masksNext = false
    depth += 1
    copy(1)
  }

  private mutating func close() {
    depth -= 1
    if maskedDepth == depth { maskedDepth = nil }
    copy(1)
  }

  private mutating func colon() {
    if maskedDepth == nil, let name = lastString {
      masksNext = isSecret(String(decoding: bytes[name], as: UTF8.self))
    }
    copy(1)
  }

  private mutating func string() {
    var end = index + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    end = min(end + 1, bytes.count)
    lastString = index + 1..<max(index + 1, end - 1)
    let isName = bytes[end...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x3A
    put(end, isValue: !isName)
  }

  private mutating func scalar() {
    let end = bytes[index...].firstIndex {
      [0x2C, 0x5D, 0x7D, 0x20, 0x09, 0x0A, 0x0D].contains($0)
    }
    put(max(end ?? bytes.count, index + 1), isValue: true)
  }

  private mutating func put(_ end: Int, isValue: Bool) {
    if isValue, masksNext || maskedDepth != nil {
      result += "\"\(Redaction.marker)\"".utf8
      index = end
    } else {
      copy(end - index)
    }
    if isValue { masksNext = false }
  }
}
