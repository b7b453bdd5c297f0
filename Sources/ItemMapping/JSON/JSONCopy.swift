/// A copy of the text of some values, which is parsed again if one of them is needed. Until then it costs only that copy,
/// and keeps no document and no buffer of a response alive.
package struct JSONCopy: Sendable {
  private enum Content: Sendable {
    case text([UInt8])
    case document(JSONDocument)
  }

  private var content: Content
  private let places: [Int]

  /// Creates a copy of values of one document; `nil` if they are of several, or if the text has more bytes than
  /// `limit`.
  package init?(_ values: [JSONView], limit: Int) {
    guard let document = values.first?.document, document.text.count <= limit,
      values.allSatisfy({ $0.document === document })
    else { return nil }
    content = .text(withExtendedLifetime(document) { Array(document.text) })
    places = values.map(\.index)
  }

  /// The number of bytes of the text.
  package var size: Int {
    switch content {
    case .text(let text): text.count
    case .document(let document): document.text.count
    }
  }

  /// Returns the value with this number.
  package mutating func value(_ number: Int) -> JSONView? {
    let document: JSONDocument
    switch content {
    case .document(let known): document = known
    case .text(let text):
      guard let parsed = try? JSONDocument(text) else { return nil }
      (document, content) = (parsed, .document(parsed))
    }
    // The same text has the same tape.
    return JSONView(document: document, index: places[number])
  }
}
