internal import Support

/// The wait that a response requests, and whether it is for a rate limit.
///
/// It supports `Retry-After` with 403, 429 and 503, and an exhausted quota: in the list form
/// `RateLimit: "name";r=0;t=30`, in the older forms `RateLimit: remaining=0, reset=30` and
/// `RateLimit-Remaining`, and in the common `X-RateLimit-Remaining`, whose reset is a point in time or a
/// number of seconds.
struct RateLimit: Hashable {
  /// The requested wait; `nil` if the response names none.
  var wait: Duration?
  /// Whether the response is about a rate limit: it has status 429, or it is a 403 with `Retry-After`, or it
  /// reports an exhausted quota. The pause that a 503 asks for is not about a rate limit.
  var isLimit = false

  /// Reads the fields of a response. `now` reads the wall clock.
  init(_ status: Int, _ headers: HTTPHeaders, now: () -> Double) {
    var found = Fields()
    for field in headers.fields { found.add(field) }
    if status == 403 || status == 429 || status == 503 {
      wait = found.retryAfter.flatMap { RetryAfter.wait($0, now: now()) }
    }
    isLimit = status == 429 || status == 403 && wait != nil
    if found.remaining == "0" {
      addQuota(found.reset.flatMap { Self.delay($0, now: now()) })
    }
    for list in found.lists {
      let quota = Self.exhausted(list, policies: found.policies)
      if quota.isExhausted { addQuota(quota.wait) }
    }
  }

  /// Adds an exhausted quota; the longest wait counts.
  private mutating func addQuota(_ quota: Duration?) {
    isLimit = true
    if let quota { wait = max(wait ?? .zero, quota) }
  }

  /// The relevant fields. They are selected by length first, because this runs for every response.
  private struct Fields {
    var retryAfter: String?
    var remaining: String?
    var reset: String?
    var lists: [String] = []
    var policies: [String] = []

    mutating func add(_ field: HTTPHeaders.Field) {
      let name = field.name
      switch name.utf8.count {
      case 9: if name.equalsIgnoringCase("RateLimit") { lists.append(field.value) }
      case 11: if name.equalsIgnoringCase("Retry-After") { retryAfter = field.value }
      case 15: if name.equalsIgnoringCase("RateLimit-Reset") { reset = field.value }
      case 16: if name.equalsIgnoringCase("RateLimit-Policy") { policies.append(field.value) }
      case 17: if name.equalsIgnoringCase("X-RateLimit-Reset") { reset = field.value }
      case 19: if name.equalsIgnoringCase("RateLimit-Remaining") { remaining = field.value }
      case 21: if name.equalsIgnoringCase("X-RateLimit-Remaining") { remaining = field.value }
      default: break
      }
    }
  }

  /// Returns the time until a reset. The number is in seconds from now, or in seconds or milliseconds since 1970.
  /// Its size shows which: no quota lasts for thirty years, and no date is before 2001.
  private static func delay(_ reset: String, now: Double) -> Duration? {
    guard let number = RetryAfter.number(reset) else { return nil }
    guard number >= 1_000_000_000 else { return .seconds(number) }
    let moment = number >= 1_000_000_000_000 ? Double(number) / 1000 : Double(number)
    return .seconds(max(0, moment - now))
  }

  /// Returns whether a list has exhausted entries, and their longest wait.
  private static func exhausted(
    _ list: String, policies: [String]
  ) -> (isExhausted: Bool, wait: Duration?) {
    var longest: Duration?
    // A server may send lists of any length, so each is read only once.
    let exhausted = entries(list).filter { $0["r"] == "0" }
    let windows = Dictionary(
      policies.lazy.flatMap(entries).map { ($0[""], $0["w"]) }, uniquingKeysWith: { a, _ in a })
    for entry in exhausted {
      let wait = entry["t"] ?? windows[entry[""]] ?? nil
      guard let wait = wait.flatMap({ RetryAfter.seconds($0) }) else { continue }
      longest = max(longest ?? .zero, wait)
    }
    let pairs = parameters(parts(of: list[...], at: 0x2C))
    let isExhausted = pairs["remaining"] == "0"
    if isExhausted, let reset = pairs["reset"].flatMap({ RetryAfter.seconds($0) }) {
      longest = max(longest ?? .zero, reset)
    }
    return (isExhausted || !exhausted.isEmpty, longest)
  }

  /// Returns the entries of a list with their parameters, and the name of an entry under `""`.
  private static func entries(_ list: String) -> [[Substring: Substring]] {
    parts(of: list[...], at: 0x2C).map { entry in
      let parts = parts(of: entry, at: 0x3B)
      var values = parameters(parts.dropFirst())
      values[""] = (parts.first ?? "").withoutBlanks
      return values
    }
  }

  /// Splits bytes, so that a combining character can't hide a separator.
  private static func parts(of text: Substring, at separator: UInt8) -> [Substring] {
    text.utf8.split(separator: separator).map { Substring($0) }
  }

  private static func parameters(_ parts: some Sequence<Substring>) -> [Substring: Substring] {
    var values: [Substring: Substring] = [:]
    for part in parts {
      guard let equals = part.utf8.firstIndex(of: 0x3D) else { continue }
      values[part[..<equals].withoutBlanks] =
        part[part.utf8.index(after: equals)...].withoutBlanks
    }
    return values
  }
}

/// Parses the wait that a server requests: a number of seconds or a date.
enum RetryAfter {
  /// Returns the wait in `value`, never negative; `nil` if it has neither form. `now` is the wall clock, for
  /// dates.
  static func wait(_ value: String, now: Double) -> Duration? {
    if let seconds = RetryAfter.seconds(value) { return seconds }
    return HTTPDate.lenientSeconds(value, now: now).map { .seconds(max(0, $0 - now)) }
  }

  /// Returns a whole number of seconds. Too large a number becomes a very long wait.
  static func seconds(_ digits: some StringProtocol) -> Duration? {
    number(digits).map { .seconds($0) }
  }

  /// Parses decimal digits and nothing else; too large a number becomes the upper bound.
  static func number(_ digits: some StringProtocol) -> Int? {
    let digits = digits.utf8
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    let largest = 1_000_000_000_000_000
    return digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), largest) }
  }
}

/// Stores the pauses that servers have requested, so that every call for which one holds waits, and not only the one that
/// got the response.
struct HostPacer {
  /// What a pause holds for.
  struct Place: Hashable {
    var origin: WebURL.Origin
    /// The path; `nil` for all paths.
    var path: String?
  }

  /// The maximum time for which a pause is remembered. The next call after it learns the current one.
  static let longest: Duration = .seconds(300)
  /// The maximum number of pauses.
  static let capacity = 256

  private struct Entry {
    var end: Duration
    var forgotten: Duration
  }

  private var entries: [Place: Entry] = [:]

  /// Sets the pause that a server requests. A shorter pause does not replace a longer one.
  mutating func pause(_ place: Place, for wait: Duration, now: Duration) {
    let entry = Entry(end: now + wait, forgotten: now + min(wait, Self.longest))
    if let known = entries[place], known.forgotten > now, known.end >= entry.end { return }
    guard entry.end > now else { return }
    if entries.count >= Self.capacity, entries[place] == nil { makeRoom(now: now) }
    entries[place] = entry
  }

  /// Returns how long a request to this address has to wait; `nil` if it may be sent.
  mutating func pause(of url: WebURL, now: Duration) -> Duration? {
    if entries.isEmpty { return nil }
    let waits = [nil, url.path].compactMap { path -> Duration? in
      let place = Place(origin: url.origin, path: path)
      guard let entry = entries[place] else { return nil }
      guard entry.forgotten > now else {
        entries[place] = nil
        return nil
      }
      return entry.end - now
    }
    return waits.max()
  }

  /// The number of pauses.
  var count: Int { entries.count }

  private mutating func makeRoom(now: Duration) {
    entries = entries.filter { $0.value.forgotten > now }
    if entries.count >= Self.capacity,
      let soonest = entries.min(by: { $0.value.end < $1.value.end })
    {
      entries[soonest.key] = nil
    }
  }
}
