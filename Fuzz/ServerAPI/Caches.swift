import Support

@testable import ServerAPI

/// Reads any text as the fields of two responses and two requests, separated by blank lines, and runs them
/// through a cache: plan, store, plan again later, conclude with the second response. It must not crash. A
/// response served without the server must be the stored one, with an age of at least the elapsed time, and a
/// response that must not be stored is not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCaches(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let parts = String(decoding: bytes, as: UTF8.self)
    .split(separator: "\n", omittingEmptySubsequences: false)
    .split(separator: "", maxSplits: 3, omittingEmptySubsequences: false).map(headers)
  let fields = { (place: Int) in parts.indices.contains(place) ? parts[place] : [:] }
  let digits = bytes.prefix(4).map { Int($0) }
  let statuses = [200, 203, 204, 206, 301, 304, 404, 500, 599, 999]
  let status = { (place: Int) in
    digits.indices.contains(place) ? statuses[digits[place] % statuses.count] : 200
  }
  let rules = CacheRules(heuristicLimit: 86_400, salt: [1, 2, 3])
  guard let url = try? WebURL("https://host/list?page=2") else { return 0 }
  let modes: [CacheMode] = [
    .standard, .revalidate, .reload, .noStore, .networkElseCache, .cacheElseNetwork, .cacheOnly,
  ]
  let mode = modes[(digits.last ?? 0) % modes.count]
  let now = 1_780_272_000.0
  let first = CacheLookup(request: HTTPRequest(.get, url, headers: fields(0)), mode: .standard)
  let response = HTTPResponse(
    status: status(0), headers: fields(1), body: ResponseBody(text: "0123456789"), url: url)
  guard case .forward(let forwarding) = rules.plan(first, stored: [], now: now) else { return 0 }
  let conclusion = rules.conclude(
    response, to: first, sent: forwarding.request, stored: [], validating: nil,
    mayStore: forwarding.mayStore, requestedAt: now, receivedAt: now + 1)
  guard let stored = conclusion.stored else { return 0 }
  precondition(!says("no-store", fields(1)) || says("must-understand", fields(1)), "\(fields(1))")
  let later = CacheLookup(request: HTTPRequest(.get, url, headers: fields(2)), mode: mode)
  switch rules.plan(later, stored: [stored], now: now + 61) {
  case .serve(let serving):
    let age = serving.response.headers["Age"].flatMap { Int($0) } ?? 60
    precondition(age >= 60, "the age is \(age) after 60 seconds")
    precondition(serving.response.body.count <= 10 && serving.response.source.isCache)
  case .refuse: precondition(mode == .cacheOnly || says("only-if-cached", fields(2)))
  case .forward(let forwarding):
    let second = HTTPResponse(
      status: status(1), headers: fields(3), body: ResponseBody(text: "abc"), url: url)
    let conclusion = rules.conclude(
      second, to: later, sent: forwarding.request, stored: [stored], validating: forwarding.index,
      mayStore: forwarding.mayStore, requestedAt: now + 61, receivedAt: now + 62)
    precondition(mode != .noStore || conclusion.stored == nil)
    precondition(conclusion.removed.allSatisfy { $0 == 0 })
  }
  return 0
}

/// Whether `Cache-Control` contains a directive; `false` if quotes leave it undecided.
private func says(_ directive: String, _ headers: HTTPHeaders) -> Bool {
  let values = headers.values("Cache-Control")
  guard !values.contains(where: { $0.contains("\"") }) else { return false }
  return values.joined(separator: ",").split(separator: ",").contains {
    $0.withoutBlanks.lowercased() == directive
  }
}

private func headers(_ lines: ArraySlice<Substring>) -> HTTPHeaders {
  HTTPHeaders(
    lines.compactMap { line in
      guard let colon = line.utf8.firstIndex(of: 0x3A) else { return nil }
      let value = line[line.utf8.index(after: colon)...].withoutBlanks
      return .init(name: String(line[..<colon]), value: String(value))
    })
}
