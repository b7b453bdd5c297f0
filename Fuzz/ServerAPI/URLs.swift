@testable import ServerAPI

/// Reads any text as an address. It must not crash. An accepted address must read back as itself, and so must
/// one that was resolved against it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURLs(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)

  let reference = URLReference(text)
  precondition(reference.description == text, "splitting and joining changed “\(text)”")

  if let url = try? WebURL(text) { checkReadsBack(url) }
  if let base = try? WebURL("https://host/a/b?c"), let url = try? base.resolving(text) {
    checkReadsBack(url)
  }
  return 0
}

private func checkReadsBack(_ url: WebURL) {
  let again = try? WebURL(url.description)
  precondition(again == url, "\(url) reads back as \(again?.description ?? "an error")")
  _ = url.queryParams
}
