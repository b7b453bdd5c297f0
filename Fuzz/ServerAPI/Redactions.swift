@testable import ServerAPI

/// Masks any bytes as every kind of text. It must not crash, and a secret after its name must be masked, no
/// matter what precedes it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRedactions(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let redaction = Redaction()
  for type in ["application/json", "text/plain", "application/x-www-form-urlencoded"] {
    _ = redaction.body(bytes, contentType: type, limit: count / 2)
  }
  // Preceding quotes and backslashes could make the name part of a string.
  let isOpen = bytes.contains { $0 == 0x22 || $0 == 0x5C }
  let json = redaction.json(bytes + #"{"token":"s3cr3t"}"#.utf8)
  precondition(isOpen || !text(json).utf8.contains("s3cr3t"), text(json))
  let form = redaction.form(bytes + "&token=s3cr3t".utf8)
  precondition(!text(form).utf8.contains("s3cr3t"), text(form))
  return 0
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension String.UTF8View {
  fileprivate func contains(_ part: String) -> Bool {
    indices.contains { self[$0...].starts(with: part.utf8) }
  }
}
