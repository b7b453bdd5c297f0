@testable import ItemMapping

/// Parses any bytes as JSON. Nothing may crash, bytes after the text have no effect, every accessor
/// respects its kind, and a value that is copied and written reads back as itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocuments(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  let copied = parse { () throws(JSONError) in try JSONDocument(input) }
  // Each of these would continue a value at the end of the text.
  for filler in [0x00, 0x22, 0x31, 0x5D] as [UInt8] {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 64, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: input)
    memory[count...].initializeMemory(as: UInt8.self, repeating: filler)
    let text = UnsafeRawBufferPointer(rebasing: memory[..<count])
    let borrowed = parse { () throws(JSONError) in
      try JSONDocument(unsafeBytes: text, padding: 64, keeping: 0)
    }
    compare(copied, borrowed)
  }
  guard case .success(let document) = copied else { return 0 }
  var steps = 0
  walk(document.root, &steps)
  checkReadsBack(document.root)
  return 0
}

private func parse(
  _ body: () throws(JSONError) -> JSONDocument
) -> Result<JSONDocument, JSONError> {
  do throws(JSONError) { return .success(try body()) } catch { return .failure(error) }
}

private func compare(
  _ first: Result<JSONDocument, JSONError>, _ second: Result<JSONDocument, JSONError>
) {
  switch (first, second) {
  case (.success(let first), .success(let second)):
    precondition(first.repairs == second.repairs)
    let (one, other) = (JSONAny(first.root), JSONAny(second.root))
    precondition(one == other && one.hashValue == other.hashValue, "\(one) and \(other)")
    precondition(first.root.text == second.root.text)
  case (.failure(let first), .failure(let second)):
    precondition(first == second, "\(first) and \(second)")
    // The error's text if a document was rejected but the scanner found no error.
    precondition(first.expected != "JSON", first.description)
  default: preconditionFailure("\(first) and \(second)")
  }
}

/// Visits every value. The costly checks are done for the first ones only.
private func walk(_ root: JSONView, _ steps: inout Int) {
  var open = [root]
  while let view = open.popLast() {
    steps += 1
    check(view)
    if steps <= 32 { checkPlace(view) }
    let children = Array(view.elements) + view.members.map(\.value)
    precondition(children.count == view.count, "\(view.count) announced")
    open += children
  }
}

private func check(_ view: JSONView) {
  let kind = view.kind
  precondition(view.isNull == (kind == .null) && (view.bool != nil) == (kind == .bool))
  precondition((view.numberText != nil) == (kind == .number))
  precondition((view.string != nil) == (kind == .string))
  precondition(kind == .number || view.double == nil && view.int64 == nil && view.uint64 == nil)
  if let bytes = view.withUTF8({ Array($0) }) {
    precondition(view.string.map { $0.utf8.elementsEqual(bytes) } == true)
  }
  precondition(kind == .object || kind == .array || view.count == 0)
  if let digits = view.numberText {
    precondition(JSONAny.Number(digits)?.text == digits, digits)
    precondition(view.text == digits, "\(view.text) is \(digits)")
    if let double = view.double { precondition(Double(digits) == double, digits) }
    if let int = view.int64 {
      precondition(view.double == Double(int) && view.int == Int(int), digits)
      precondition(int < 0 || view.uint64 == UInt64(int), digits)
    }
  }
  for member in view.members { precondition(view[member.name] != nil, member.name) }
  precondition(view.count == 0 || kind == .object || view[-1] != nil && view[view.count] == nil)
}

/// Checks that a value's path leads to it, and that its text parses to the same value.
private func checkPlace(_ view: JSONView) {
  let path = view.path
  guard let found = view.document.root[path] else { preconditionFailure("nothing at \(path)") }
  // If a name is repeated, its path leads to the first.
  precondition(found.path == path)
  let again = try? JSONPath(parsing: path.description)
  precondition(again == path, "\(path) reads back as \(again?.description ?? "an error")")
  let value = JSONAny(view, keepingDigits: true)
  guard let parsed = try? JSONDocument(view.text) else { preconditionFailure(view.text) }
  precondition(JSONAny(parsed.root, keepingDigits: true) == value, view.text)
}

private func checkReadsBack(_ view: JSONView) {
  for keepsDigits in [false, true] {
    let value = JSONAny(view, keepingDigits: keepsDigits)
    for isPretty in [false, true] {
      let text = value.text(isPretty: isPretty)
      guard let document = try? JSONDocument(text) else { preconditionFailure(text) }
      let again = JSONAny(document.root, keepingDigits: keepsDigits)
      precondition(again == value && again.hashValue == value.hashValue, text)
      precondition(document.repairs.allSatisfy { $0.kind == .bigNumber }, text)
      precondition(again.text(isPretty: isPretty) == text, text)
    }
  }
}
