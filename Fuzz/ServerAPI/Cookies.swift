@testable import ServerAPI

/// Stores the cookies of any lines. It must not crash. A stored cookie must be within its limits and must not
/// be readable as two, and the field must be valid and go to its origin alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCookies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let lines = UnsafeBufferPointer(start: start, count: count).split(separator: 0x0A)
    .map { String(decoding: $0, as: UTF8.self) }
  guard let url = try? WebURL("https://a.example/dir/page"),
    let other = try? WebURL("https://b.example/dir/page")
  else { preconditionFailure("the addresses can't be parsed") }
  for line in lines { if let cookie = Cookie(line, from: url, now: 1e9) { check(cookie) } }

  var jar = CookieJar()
  jar.store(HTTPHeaders(lines.map { .init(name: "Set-Cookie", value: $0) }), from: url, now: 1e9)
  precondition(jar.field(for: other, now: 1e9) == nil, "a cookie went to another host")
  guard let field = jar.field(for: url, now: 1e9) else { return 0 }
  precondition(field.utf8.count <= CookieJar.bytesPerRequest)
  let pairs = field.utf8.split(separator: 0x3B, omittingEmptySubsequences: false)
  precondition(pairs.count <= min(lines.count, CookieJar.cookiesPerOrigin), field)
  let request = HTTPRequest(.get, url, headers: ["Cookie": field])
  precondition((try? request.checkFields()) != nil, "“\(field)” can't be sent")
  return 0
}

private func check(_ cookie: Cookie) {
  precondition(!cookie.name.isEmpty && cookie.path.utf8.first == 0x2F, "\(cookie)")
  precondition(cookie.name.utf8.count + cookie.value.utf8.count <= Cookie.maximumBytes)
  precondition(cookie.path.utf8.count <= Cookie.maximumPathBytes)
  precondition(!cookie.name.utf8.contains(0x3D), "\(cookie) has = in its name")
  for text in [cookie.name, cookie.value, cookie.path] {
    precondition(!text.utf8.contains(0x3B), "\(cookie) reads as two cookies")
    let ends = [text.utf8.first, text.utf8.last]
    precondition(!ends.contains(0x20) && !ends.contains(0x09), "\(cookie) has surrounding blanks")
  }
  precondition(cookie.expires?.isFinite ?? true, "\(cookie) has no finite expiration date")
}
