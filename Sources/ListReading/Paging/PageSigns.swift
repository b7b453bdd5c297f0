internal import ItemMapping
internal import ServerAPI
internal import Support

/// The facts about its place that a response has.
struct PageSigns: OptionSet, Hashable, Sendable {
  var rawValue: UInt8

  /// A total number of rows.
  static let total = PageSigns(rawValue: 1)
  static let pageNumber = PageSigns(rawValue: 2)
  static let pageCount = PageSigns(rawValue: 4)
  /// A flag that says whether there is more.
  static let flag = PageSigns(rawValue: 8)
  /// A header with links to other pages than the next.
  static let links = PageSigns(rawValue: 16)
  /// The address or cursor of the next page, or what stands there instead.
  static let next = PageSigns(rawValue: 32)
  /// Any other member beside the rows.
  static let other = PageSigns(rawValue: 64)

  /// Whether a response with these signs may be another one than was meant: it lacks one that has no reason to go, or
  /// all that the pages before it had. That there is no next page is what the last page of many lists says by leaving
  /// it out.
  func areDoubtful(after earlier: PageSigns) -> Bool {
    let missing = earlier.subtracting(self)
    let lasting = earlier.subtracting(.next)
    return missing.contains(.total) || missing.contains(.pageNumber)
      || !lasting.isEmpty && lasting.isDisjoint(with: self)
  }
}

/// The facts that the first page of a list had.
struct KnownFacts: Hashable, Sendable {
  let shape: Int
  let signs: PageSigns
  let moreSigns: [MoreSign]
}

extension PageResponse {
  /// What the names and kinds of all facts come to, so that responses with the same have the same facts; `nil` where
  /// there are too many.
  var shape: Int? {
    var hasher = Hasher()
    for field in response.headers.fields {
      hasher.combine(field.name)
      if field.name.equalsIgnoringCase("link") { hasher.combine(field.value.contains("last")) }
    }
    var left = 100
    if let envelope { Self.combine(envelope, in: &hasher, depth: 0, left: &left) }
    return left > 0 ? hasher.finalize() : nil
  }

  private static func combine(
    _ object: JSONView, in hasher: inout Hasher, depth: Int, left: inout Int
  ) {
    guard depth < 4, object.kind == .object else { return }
    for member in object.members {
      left -= 1
      if left <= 0 { return }
      hasher.combine(member.name)
      hasher.combine(member.value.kind)
      combine(member.value, in: &hasher, depth: depth + 1, left: &left)
    }
  }
}
