extension ItemMapper {
  /// Decodes the elements of a list as a `Decodable` type, and drops those that can't be decoded.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - document: The document.
  ///   - path: The path of the list.
  ///   - decoder: The decoder for the elements.
  public func items<Item: Decodable & SendableMetatype>(
    _ type: Item.Type, in document: JSONDocument, at path: JSONPath = .root,
    decoder: ItemDecoder
  ) throws(MappingError) -> sending (value: [Item], report: MappingReport) {
    let list = try find(path, in: document, expected: .array).index(in: document.number)
    var ledger = IssueLedger(samples: samples)
    var result: [Item] = []
    defer { withExtendedLifetime(document) {} }
    let tape = document.tape
    result.reserveCapacity(tape.countHint(of: list))
    let elements = decoder.elements(of: document)
    var walk = ElementWalk(array: list, tape)
    var position = 0
    while let element = walk.next(tape) {
      do {
        result.append(try elements.decode(type, at: element, position: position))
      } catch {
        let refused = RefusedElement(
          error, JSONView(document: document, index: element), type)
        if ledger.count(refused.key) { ledger.add(refused.issue, to: refused.key) }
        if failsFast { throw .unusable(refused.issue) }
      }
      position += 1
    }
    var report = MappingReport(ledger, of: document) { _ in position }
    report.droppedItems = position - result.count
    return (value: result, report: report)
  }
}

/// The error of an element that could not be decoded, as an issue.
private struct RefusedElement {
  let key: IssueLedger.Key
  let issue: MappingReport.Issue

  init(_ error: any Error, _ element: JSONView, _ type: any Any.Type) {
    var kind = MappingReport.Issue.Kind.rejected
    var expected = TypeName.text(type)
    // The first key is the element's own position.
    var path: [any CodingKey] = []
    var hint: String?
    if let error = error as? DecodingError {
      switch error {
      case .keyNotFound(let key, let context):
        (kind, path) = (.missing, context.codingPath + [key])
        expected = "a value"
      case .valueNotFound(let type, let context):
        (kind, path, expected) = (.null, context.codingPath, TypeName.text(type))
      case .typeMismatch(let type, let context):
        (kind, path, expected) = (.wrongType, context.codingPath, TypeName.text(type))
      case .dataCorrupted(let context):
        (kind, path, hint) = (.unreadable, context.codingPath, context.debugDescription)
      @unknown default: hint = "\(error)"
      }
    } else {
      hint = "\(error)"
    }
    let inner = JSONPath(
      path.dropFirst().map { $0.intValue.map { .index($0) } ?? .name($0.stringValue) })
    let names = path.filter { $0.intValue == nil }.map(\.stringValue)
    if kind == .missing { hint = element.hint(for: inner) }
    key = IssueLedger.Key(keys: names, kind: kind, effect: .dropped)
    issue = MappingReport.Issue(
      kind: kind, path: JSONPath(element.path.segments + inner.segments),
      target: (["\(type)"] + names).joined(separator: "."), expected: expected,
      found: element[inner].map(Excerpt.text) ?? "nothing", effect: .dropped, hint: hint)
  }
}
