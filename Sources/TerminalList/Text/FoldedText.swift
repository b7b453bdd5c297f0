/// A text in which case, accents, widths and invisible characters don't matter, for searches.
struct FoldedText: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    Self.fold(text, into: &bytes)
    self.bytes = bytes
  }

  private static func fold(_ text: String, into bytes: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        bytes.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
      } else {
        bytes += folded(scalar)
      }
    }
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether another text is a part of this one.
  func contains(_ part: FoldedText) -> Bool {
    guard let first = part.bytes.first else { return true }
    guard bytes.count >= part.bytes.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      part.bytes.withUnsafeBufferPointer { part in
        (0...bytes.count - part.count).contains { start in
          bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
        }
      }
    }
  }

  /// Returns for each character whether it belongs to a place where another text is a part of them all.
  static func marks(of part: FoldedText, in characters: [String]) -> [Bool] {
    var marks = Array(repeating: false, count: characters.count)
    guard !part.isEmpty else { return marks }
    var bytes: [UInt8] = []
    /// The character that each byte is from.
    var owners: [Int] = []
    for (place, character) in characters.enumerated() {
      fold(character, into: &bytes)
      while owners.count < bytes.count { owners.append(place) }
    }
    var start = 0
    while start + part.bytes.count <= bytes.count {
      let end = start + part.bytes.count
      guard bytes[start..<end].elementsEqual(part.bytes) else {
        start += 1
        continue
      }
      for place in owners[start]...owners[end - 1] { marks[place] = true }
      start = end
    }
    return marks
  }

  private static func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
    let properties = scalar.properties
    if isAccent(scalar) || properties.isDefaultIgnorableCodePoint { return [] }
    // Full-width forms of ASCII.
    if (0xFF01...0xFF5E).contains(scalar.value) {
      return FoldedText(String(UnicodeScalarView.one(scalar.value - 0xFEE0))).bytes
    }
    // First to capitals, because ß becomes two letters and both forms of σ one.
    return properties.uppercaseMapping.unicodeScalars.flatMap { capital in
      capital.properties.lowercaseMapping.unicodeScalars.flatMap { small in
        isAccent(small) ? [] : Array(String(bases[small] ?? small).utf8)
      }
    }
  }

  /// Whether a mark is one that readers leave out: accents, points of Hebrew and vowels of Arabic, but no vowel of
  /// the scripts of India.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
    case 0x591...0x5C7: scalar.properties.generalCategory == .nonspacingMark
    case 0x64B...0x652, 0x670: true
    default: false
    }
  }

  /// The letter without accents of each letter with some, by their names: “LATIN SMALL LETTER E WITH ACUTE”.
  private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [0x61...0x7A, 0xB5...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
    let letters = ranges.joined().compactMap(Unicode.Scalar.init)
    var byName: [String: Unicode.Scalar] = [:]
    for letter in letters {
      if let name = letter.properties.name { byName[name] = letter }
    }
    var bases: [Unicode.Scalar: Unicode.Scalar] = [:]
    for letter in letters {
      let parts = letter.properties.name?.split(separator: " WITH ", maxSplits: 1) ?? []
      if parts.count == 2, let base = byName[String(parts[0])] { bases[letter] = base }
    }
    // Their names are different: short i, io and yi.
    for (letter, base) in [("й", "и"), ("ё", "е"), ("ї", "і")] as [(Unicode.Scalar, Unicode.Scalar)] {
      bases[letter] = base
    }
    return bases
  }()
}

private typealias UnicodeScalarView = String.UnicodeScalarView

extension String.UnicodeScalarView {
  fileprivate static func one(_ value: UInt32) -> Self {
    Self(Unicode.Scalar(value).map { [$0] } ?? [])
  }
}
