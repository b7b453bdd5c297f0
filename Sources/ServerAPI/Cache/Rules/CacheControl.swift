internal import Support

/// The `Cache-Control` directives for a private cache. Ignores unknown directives and those for shared caches.
struct CacheControl: Hashable {
  /// Directives without an argument.
  struct Flags: OptionSet, Hashable {
    var rawValue: UInt16

    static let noStore = Flags(rawValue: 1 << 0)
    static let noCache = Flags(rawValue: 1 << 1)
    static let mustRevalidate = Flags(rawValue: 1 << 2)
    static let mustUnderstand = Flags(rawValue: 1 << 3)
    static let isPublic = Flags(rawValue: 1 << 4)
    static let isPrivate = Flags(rawValue: 1 << 5)
    static let immutable = Flags(rawValue: 1 << 6)
    static let onlyIfCached = Flags(rawValue: 1 << 7)
  }

  /// The argument of a directive with a number of seconds.
  enum Seconds: Hashable {
    case absent
    case seconds(Double)
    /// Not a number, or given twice with different values.
    case invalid

    /// The number, if it is valid.
    var value: Double? { if case .seconds(let value) = self { value } else { nil } }
  }

  /// Whether the message has a `Cache-Control` field.
  var isPresent = false
  var flags: Flags = []
  var maxAge = Seconds.absent
  var minFresh = Seconds.absent
  /// Infinite if the directive has no argument.
  var maxStale = Seconds.absent
  var staleWhileRevalidate = Seconds.absent
  var staleIfError = Seconds.absent
  /// Lowercase names of fields that must not be served without validation.
  var noCacheFields: Set<String> = []

  /// The maximum number of seconds (RFC 9111, section 1.2.2).
  static let limit = 1 << 31

  /// Parses one field line.
  mutating func read(_ value: String) {
    isPresent = true
    value.withBytes { read($0) }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var parsesQuotes = true
    while start < bytes.count {
      var equals: Int?
      var at = start
      while at < bytes.count, bytes[at] != 0x2C {
        if bytes[at] == 0x3D {
          equals = equals ?? at
        } else if bytes[at] == 0x22, parsesQuotes {
          if let end = bytes.endOfQuotation(from: at) {
            at = end
          } else {
            // An unclosed quote leaves open which directives were quoted: apply all of them, and validate the
            // response.
            parsesQuotes = false
            maxAge = .invalid
          }
        }
        at += 1
      }
      apply(bytes, from: start, equals: equals, to: at)
      start = at + 1
    }
  }

  private mutating func apply(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, equals: Int?, to end: Int
  ) {
    let name = bytes.trimmed(start, equals ?? end)
    guard let first = name.first else { return }
    // The first letter and the length leave one or two names to compare.
    switch (first.asciiLowercased, name.count) {
    case (0x6D, 7) where name.spells("max-age"):
      Self.set(&maxAge, Self.seconds(bytes, equals, end))
    case (0x6D, 9) where name.spells("max-stale"):
      Self.set(&maxStale, equals == nil ? .seconds(.infinity) : Self.seconds(bytes, equals, end))
    case (0x6D, 9) where name.spells("min-fresh"):
      Self.set(&minFresh, Self.seconds(bytes, equals, end))
    case (0x6D, 15) where name.spells("must-revalidate"): flags.insert(.mustRevalidate)
    case (0x6D, 15) where name.spells("must-understand"): flags.insert(.mustUnderstand)
    case (0x6E, 8) where name.spells("no-store"): flags.insert(.noStore)
    case (0x6E, 8) where name.spells("no-cache"):
      applyNoCache(bytes.trimmed(equals.map { $0 + 1 } ?? end, end))
    case (0x6F, 14) where name.spells("only-if-cached"): flags.insert(.onlyIfCached)
    case (0x70, 6) where name.spells("public"): flags.insert(.isPublic)
    case (0x70, 7) where name.spells("private"): flags.insert(.isPrivate)
    case (0x69, 9) where name.spells("immutable"): flags.insert(.immutable)
    case (0x73, 22) where name.spells("stale-while-revalidate"):
      Self.set(&staleWhileRevalidate, Self.seconds(bytes, equals, end))
    case (0x73, 14) where name.spells("stale-if-error"):
      Self.set(&staleIfError, Self.seconds(bytes, equals, end))
    default: break
    }
  }

  private static func set(_ seconds: inout Seconds, _ new: Seconds) {
    seconds = seconds == .absent || seconds == new ? new : .invalid
  }

  /// Accepts a quoted value, and rejects one with blanks around the equals sign.
  private static func seconds(
    _ bytes: UnsafeBufferPointer<UInt8>, _ equals: Int?, _ end: Int
  ) -> Seconds {
    guard let equals, equals + 1 < end, !bytes[equals + 1].isBlank, !bytes[equals - 1].isBlank
    else { return .invalid }
    return Self.unquoted(bytes.trimmed(equals + 1, end)).number(upTo: limit)
      .map { .seconds(Double($0)) } ?? .invalid
  }

  private static func unquoted(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    guard bytes.count > 1, bytes[0] == 0x22, bytes[bytes.count - 1] == 0x22 else { return bytes }
    return bytes.trimmed(1, bytes.count - 1)
  }

  /// Without field names, the directive applies to the whole response.
  private mutating func applyNoCache(_ value: UnsafeBufferPointer<UInt8>) {
    var names: [String] = []
    Self.unquoted(value).forEachMember { name in
      if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self).asciiLowercased) }
    }
    if names.isEmpty {
      flags.insert(.noCache)
    } else {
      noCacheFields.formUnion(names)
    }
  }
}
