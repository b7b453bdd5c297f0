internal import ItemMapping
internal import ServerAPI
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Recognizes cursors that count rows or pages. Such a cursor marks no place in the order of the rows: if a row
/// before it is removed, the next one is skipped, as with an offset.
struct CountingCursor: Hashable, Sendable {
  /// How many pages in a row led to a cursor with the number of pages. A version or a small id can be that number
  /// once by chance.
  private(set) var pageHits = 0

  init(pageHits: Int = 0) { self.pageHits = pageHits }

  /// Whether a link counts, given the number of rows and pages that were read up to it.
  mutating func counts(_ link: PageFacts.Link, rows: Int, pages: Int) -> Bool {
    guard case .page(let key) = link else { return false }
    let numbers = Self.numbers(in: key.place)
    pageHits = numbers.contains(pages) || numbers.contains(pages + 1) ? pageHits + 1 : 0
    // Some servers count from the last row that was sent, others from the next one.
    return pageHits > 1 || rows > 1 && (numbers.contains(rows) || numbers.contains(rows - 1))
  }

  /// Returns the numbers in a cursor, also where it is JSON or text in Base64.
  static func numbers(in place: PageKey.Place) -> Set<Int> {
    let texts: [String]
    switch place {
    case .after(let cursor), .before(let cursor): texts = [cursor.string ?? cursor.text()]
    case .url(let url):
      // The size of a page is the number of all rows so far after the first one.
      texts =
        Self.numbersOfPages(inPath: url.path)
        + url.queryParams.items.filter { !ParameterNames.sizes.contains($0.name) }
        .flatMap { $0.value.texts }
    case .start, .number, .offset, .trial: return []
    }
    return texts.reduce(into: []) { numbers, text in
      numbers.formUnion(Self.numbers(in: text))
      if let decoded = text.decodedBase64 { numbers.formUnion(Self.numbers(in: decoded)) }
    }
  }

  /// Returns the text after a word such as `page` in a path.
  private static func numbersOfPages(inPath path: String) -> [String] {
    let parts = path.split(separator: "/").map(String.init)
    let names = ParameterNames.pages + ParameterNames.offsets
    return zip(parts, parts.dropFirst()).filter { names.contains($0.0) }.map(\.1)
  }

  /// Returns the whole numbers in a text that stand alone, not as a part of a word.
  private static func numbers(in text: String) -> Set<Int> {
    let words = text.utf8.prefix(1_000).split { !$0.isASCIILetter && !$0.isASCIIDigit }
    return Set(words.compactMap { Int(String(decoding: $0, as: UTF8.self)) })
  }
}

extension String {
  /// The text that this one has in Base64, with either alphabet and with or without padding; `nil` if it has none.
  fileprivate var decodedBase64: String? {
    guard utf8.count >= 2, utf8.count <= 1_000 else { return nil }
    var base = replacing("-", with: "+").replacing("_", with: "/")
    base += String(repeating: "=", count: (4 - base.utf8.count % 4) % 4)
    return Data(base64Encoded: base).flatMap { String(bytes: $0, encoding: .utf8) }
  }
}
