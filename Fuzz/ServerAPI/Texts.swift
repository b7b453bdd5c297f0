@testable import ServerAPI

/// Reads any bytes as text of the type in their first line. It must not crash. Text read as UTF-8, ASCII or
/// UTF-16 must have exactly the bytes of the body, and in a single-byte charset every byte must be one
/// character.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTexts(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let end = bytes.firstIndex(of: 0x0A) ?? count
  let type = String(decoding: bytes[..<end], as: UTF8.self)
  check(HTTPResponse.MediaType(type), type)
  _ = read(Array(bytes[end...]), type)

  let body = Array(bytes)
  if let text = read(body, "text/plain"), !body.starts(with: [0xEF, 0xBB, 0xBF]) {
    precondition(text.utf8.elementsEqual(body))
  }
  if let text = read(body, "text/plain; charset=us-ascii") {
    precondition(text.utf8.elementsEqual(body))
  }
  let single = read(body, "text/plain; charset=latin1")
  precondition(single?.unicodeScalars.count == count)
  for (name, order) in [("utf-16be", 0), ("utf-16le", 1)] {
    guard !body.starts(with: [0xFE, 0xFF]), !body.starts(with: [0xFF, 0xFE]) else { break }
    guard let text = read(body, "text/plain; charset=\(name)") else { continue }
    let again = text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return order == 0 ? pair : pair.reversed()
    }
    precondition(again == body, name)
  }
  return 0
}

private func read(_ body: [UInt8], _ type: String) -> String? {
  guard let url = try? WebURL("https://host/") else { return nil }
  let response = HTTPResponse(
    headers: ["Content-Type": type], body: ResponseBody(body), url: url)
  return try? response.text()
}

private func check(_ type: HTTPResponse.MediaType, _ text: String) {
  precondition(type.essence.utf8.count <= text.utf8.count)
  precondition(type.matches(type) && type.matches(HTTPResponse.MediaType("*/*")), text)
  let capitals = HTTPResponse.MediaType(
    String(
      decoding: text.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self))
  precondition(capitals == type, "the case of “\(text)” matters")
}
