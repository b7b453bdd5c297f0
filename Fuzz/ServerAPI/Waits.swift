import Support

@testable import ServerAPI

/// Reads any text as a date, a wait and a rate limit. It must not crash. A date must have a four-digit year and be the
/// same where it is read strictly, and a wait must be neither negative nor above its limit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWaits(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let text = String(decoding: bytes, as: UTF8.self)
  let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  if let date = HTTPDate.cookieSeconds(text) {
    precondition((-11_644_473_600...253_402_300_800).contains(date), "\(text) is \(date)")
  }
  for now in [0, 1_780_272_000, 1e15] {
    let date = HTTPDate.lenientSeconds(text, now: now)
    if let date {
      precondition((-62_135_596_800...253_402_300_800).contains(date), "\(text) is \(date)")
    }
    if let strict = HTTPDate.seconds(text, now: now) { precondition(strict == date, text) }
    check(RetryAfter.wait(text, now: now), text)
    let fields = lines.map { "RateLimit: " + $0 } + lines
    for status in [200, 429] {
      check(RateLimit(status, headers(fields), now: { now }).wait, text)
    }
    for name in ["RateLimit-Reset", "X-RateLimit-Reset"] {
      let spent: HTTPHeaders = ["RateLimit-Remaining": "0", name: text]
      check(RateLimit(200, spent, now: { now }).wait, text)
    }
  }
  return 0
}

/// Makes each line a field, so that several kinds of fields meet.
private func headers(_ lines: [String]) -> HTTPHeaders {
  HTTPHeaders(
    lines.compactMap { line in
      guard let colon = line.utf8.firstIndex(of: 0x3A) else { return nil }
      let value = line[line.utf8.index(after: colon)...].withoutBlanks
      return .init(name: String(line[..<colon]), value: String(value))
    })
}

private func check(_ wait: Duration?, _ text: String) {
  let bound = Duration.seconds(1_000_000_000_000_000)
  precondition(wait.map { $0 >= .zero && $0 <= bound } ?? true, "\(text) waits \(wait ?? .zero)")
  // Callers add waits to clocks and to jitter.
  if let wait {
    var pacer = HostPacer()
    if let url = try? WebURL("https://host/") {
      pacer.pause(.init(origin: url.origin), for: wait, now: .seconds(1_000_000))
      let left = pacer.pause(of: url, now: .seconds(1_000_000)) ?? .zero
      precondition(left >= .zero && left <= wait)
    }
  }
}
