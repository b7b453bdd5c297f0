@testable import ServerAPI

/// Looks for a code in any bytes, in objects and in first elements of arrays. It must not crash, and the result must have
/// a limited length. A code in a well-formed envelope must be found unchanged, no matter what precedes it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEnvelopes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let empty = EnvelopeScanner.Step.member([])
  for path in [
    EnvelopeScanner.path("e"), EnvelopeScanner.path("e.c"), [empty, .member(Array("é".utf8))],
    EnvelopeScanner.path("e") + [.first], [.first, .first] + EnvelopeScanner.path("c"),
  ] {
    let found = EnvelopeScanner.text(at: path, in: bytes)
    // An invalid byte becomes a replacement character of three bytes.
    precondition(found?.utf8.count ?? 0 <= 3 * EnvelopeScanner.maximumLength)
  }
  let check = Call.BusinessCheck.envelope(code: "e.c", message: "e.m")
  if let url = try? WebURL("https://host/") {
    _ = check.failure(HTTPResponse(body: ResponseBody(bytes), url: url))
    let text = String(decoding: bytes.prefix(EnvelopeScanner.maximumLength / 6), as: UTF8.self)
    for quote in [quoted, escaped] {
      let value = quote(text)
      let body =
        "{\(value + "x\""): [{\"e\": \(value)\"}, 1], \"e\": {\"m\": \(value)\", \"c\": 7}}"
      let failure = check.failure(HTTPResponse(body: ResponseBody(text: body), url: url))
      precondition(failure?.code == "7", body)
      precondition(failure.map { $0.message.utf8.elementsEqual(text.utf8) } == true, body)
    }
  }
  return 0
}

/// A JSON string without its closing quote, with as few escapes as possible.
private func quoted(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "\"") { result, scalar in
    if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
    result.unicodeScalars.append(scalar)
  }
}

/// The same, with every UTF-16 unit escaped.
private func escaped(_ text: String) -> String {
  text.utf16.reduce(into: "\"") { result, unit in
    let digits = String(unit, radix: 16)
    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
