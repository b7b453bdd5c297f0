internal import ItemMapping
internal import ServerAPI
internal import Support

/// The numbers in a cursor or link, however it is encoded: a few decoders are applied in turn, to what they yield too.
struct CursorNumbers {
  /// The numbers that are written as decimals, also inside of Base64, percent-encoding or a compressed text.
  private(set) var plain: Set<Int> = []
  /// The numbers that the cursor may have if it is encoded otherwise. One of them may be there by chance.
  private(set) var possible: Set<Int> = []

  private struct Piece {
    let bytes: [UInt8]
    let depth: Int
    /// Whether a decimal in it is no chance.
    let isPlain: Bool
  }

  private static let deepest = 4
  private static let mostPieces = 24
  private static let mostBytes = 4096

  /// Reads the numbers.
  ///
  /// - Parameter decodes: Whether all encodings are tried, and not only the usual ones.
  init(_ place: PageKey.Place, decodes: Bool = true) {
    var pieces: [Piece] = []
    func add(_ texts: [String], isPlain: Bool = true) {
      pieces += texts.map { Piece(bytes: Array($0.utf8.prefix(1_000)), depth: 0, isPlain: isPlain) }
    }
    switch place {
    case .after(let cursor), .before(let cursor): add([cursor.string ?? cursor.text()])
    case .url(let url):
      // The size of a page is the total number of rows so far after the first one.
      add(
        url.numbersInPath
          + url.queryParams.items.filter { !ParameterNames.sizes.contains($0.name) }
          .flatMap { $0.value.texts })
      if decodes, let file = url.path.split(separator: "/").last {
        add([String(file)], isPlain: false)
      }
    case .start, .number, .offset, .trial: return
    }
    read(pieces, deepest: decodes ? Self.deepest : 1)
  }

  /// Whether a number is in the cursor.
  func has(_ number: Int) -> Bool { plain.contains(number) || possible.contains(number) }

  /// Removes a number that is known to be something else.
  mutating func remove(_ number: Int) {
    plain.remove(number)
    possible.remove(number)
  }

  private mutating func read(_ first: [Piece], deepest: Int) {
    var pieces = first
    var index = 0
    var bytes = 0
    while index < pieces.count, index < Self.mostPieces, bytes < Self.mostBytes {
      let piece = pieces[index]
      index += 1
      bytes += piece.bytes.count
      readNumbers(in: piece, deepest: deepest)
      guard piece.depth < deepest else { continue }
      func add(_ decoded: [UInt8]?, isPlain: Bool) {
        guard let decoded, !decoded.isEmpty, pieces.count < Self.mostPieces else { return }
        pieces.append(Piece(bytes: decoded, depth: piece.depth + 1, isPlain: isPlain))
      }
      add(piece.bytes.decodedBase64, isPlain: piece.isPlain)
      guard deepest > 1 else { continue }
      add(piece.bytes.decodedPercents, isPlain: piece.isPlain)
      add(piece.bytes.decodedHex, isPlain: false)
      add(Inflate.text(of: piece.bytes), isPlain: piece.isPlain)
      // The payload of a JWT, and texts in JSON.
      guard piece.bytes.isText else { continue }
      let parts = piece.bytes.split { !$0.isOfBase64 }
      if parts.count > 1, parts.count <= 16 {
        for part in parts where part.count >= 4 {
          add(Array(part).decodedBase64, isPlain: false)
        }
      }
    }
  }

  private mutating func readNumbers(in piece: Piece, deepest: Int) {
    guard piece.bytes.isText else { return readBinary(piece, deepest: deepest) }
    // Whole numbers that stand alone, not as a part of a word.
    let words = piece.bytes.split { !$0.isASCIILetter && !$0.isASCIIDigit }
    for word in words.prefix(64) where word.count <= 19 {
      let text = String(decoding: word, as: UTF8.self)
      guard let number = Int(text) else { continue }
      if piece.isPlain { plain.insert(number) } else { possible.insert(number) }
    }
    guard deepest > 1 else { return }
    if let word = words.first, word.count == piece.bytes.count, word.count <= 8 {
      let text = String(decoding: word, as: UTF8.self)
      for radix in [16, 36] { if let number = Int(text, radix: radix) { possible.insert(number) } }
    }
    readBinary(piece, deepest: deepest)
  }

  private mutating func readBinary(_ piece: Piece, deepest: Int) {
    guard deepest > 1, piece.depth > 0, piece.bytes.count <= 256 else { return }
    possible.formUnion(BinaryNumbers.fixed(piece.bytes))
    possible.formUnion(BinaryNumbers.protobuf(piece.bytes[...], depth: 0) ?? [])
    possible.formUnion(BinaryNumbers.messagePack(piece.bytes))
  }
}

extension WebURL {
  /// The texts in a path where numbers of pages are: after a word such as `page`, and in matrix parameters.
  fileprivate var numbersInPath: [String] {
    let parts = path.split(separator: "/").map(String.init)
    let names = ParameterNames.pages + ParameterNames.offsets
    return zip(parts, parts.dropFirst()).filter { names.contains($0.0) }.map(\.1)
      + matrixParams.filter { !ParameterNames.sizes.contains($0.name) }.map(\.value)
  }

  /// The parameters in the path, such as `;page=2`.
  var matrixParams: [(name: String, value: String)] {
    guard path.utf8.contains(0x3B) else { return [] }
    return path.split(separator: "/").flatMap { $0.split(separator: ";").dropFirst() }
      .compactMap { pair in
        guard let sign = pair.firstIndex(of: "=") else { return nil }
        return (String(pair[..<sign]), String(pair[pair.index(after: sign)...]))
      }
  }

  /// Whether the last part of the path has the number of a page or row: `page-2.json`.
  var hasNumberedFile: Bool {
    guard let file = path.split(separator: "/").last else { return false }
    let words = file.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit }.map {
      String(decoding: $0, as: UTF8.self)
    }
    return zip(words, words.dropFirst()).contains { word, number in
      Int(number) != nil && WebURL.fileWords.contains(word.lowercased())
    }
  }

  private static let fileWords: Set<String> = ["page", "p", "offset", "start", "from", "skip"]
}

extension PageKey.Place {
  /// The numbers that a cursor of JSON has under the names of ids, such as `{"last_id": 100}`.
  var numbersOfIDs: [Int] {
    guard case .after(let cursor) = self else { return [] }
    let text = Array((cursor.string ?? cursor.text()).utf8.prefix(1_000))
    let json = text.first == 0x7B ? text : text.decodedBase64 ?? []
    guard json.first == 0x7B,
      let root = try? JSONDocument(String(decoding: json, as: UTF8.self)).root
    else { return [] }
    return root.members.compactMap { member in
      NameWords(member.name).hasAny(of: ["id", "key", "uuid", "pk"])
        ? member.value.wholeNumber : nil
    }
  }
}
