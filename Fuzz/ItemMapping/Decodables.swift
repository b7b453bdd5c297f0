@testable import ItemMapping

/// Decodes the elements of any list. Nothing may crash, and elements that use the decoders, containers and
/// orders of those before give the same values and errors as each of them alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecodables(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard let document = try? JSONDocument(input), document.root.kind == .array else { return 0 }
  let elements = document.root.elements.map(\.index)
  compare(Row.self, document, elements)
  compare(Looking.self, document, elements)
  return 0
}

private func compare<T: Decodable>(_ type: T.Type, _ document: JSONDocument, _ elements: [Int]) {
  let together = ItemDecoder().elements(of: document)
  for (position, element) in elements.enumerated() {
    let decoded = outcome { try together.decode(type, at: element, position: position) }
    let alone = outcome {
      try ItemDecoder().elements(of: document).decode(type, at: element, position: position)
    }
    precondition(decoded == alone, "\(position): \(decoded)\nalone: \(alone)")
  }
}

private func outcome<T>(_ decode: () throws -> T) -> String {
  do { return "\(try decode())" } catch { return "\(error)" }
}

private struct Row: Decodable {
  struct Part: Decodable {
    var x: Double
    var y: String?
  }
  var a: Int?
  var b: String?
  var c: [Row]?
  var d: Part?
  var aLongerNameThanOthers: [String]?
  var e: [String: Part]?
  var f: Bool?
}

/// Reads all of its members in order, then in reverse. Keeps its container if it has a member `a`.
private struct Looking: Decodable, CustomStringConvertible {
  enum Keys: String, CodingKey, CaseIterable { case a, b, c, d, aLongerNameThanOthers, é, K }
  var found: [String] = []
  var container: KeyedDecodingContainer<Keys>?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    if container.contains(.a) { self.container = container }
    found = Self.values(in: container)
  }

  var description: String { "\(found), \(container.map(Self.values) ?? [])" }

  private static func values(in container: KeyedDecodingContainer<Keys>) -> [String] {
    (Keys.allCases + Keys.allCases.reversed()).map { key in
      if let number = try? container.decode(Int.self, forKey: key) { return "\(number)" }
      // Each level reads the next one several times.
      let isDeep = container.codingPath.count > 3
      if !isDeep, let inner = try? container.decode(Looking.self, forKey: key) { return "\(inner)" }
      return container.contains(key) ? "other" : "none"
    }
  }
}
