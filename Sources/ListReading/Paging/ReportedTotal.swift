internal import ItemMapping
internal import ServerAPI
internal import Support

/// A total number of rows, as a server reports it.
struct ReportedTotal: Hashable, Sendable {
  var rows: Int
  /// Whether the list may have more: the server counts up to a limit, rounds, or estimates. Such a number can show that
  /// rows are missing, never that none are.
  var isAtLeast = false

  /// Creates a total. A number of rows that no list has says no more than that there are many, and edits can be added
  /// to it.
  init(rows: Int, isAtLeast: Bool = false) {
    self.rows = min(rows, Self.most)
    self.isAtLeast = isAtLeast || rows > Self.most
  }

  /// The largest number that a `Double` counts to.
  private static let most = 1 << 53
}

extension ReportedTotal: Comparable {
  /// Orders by the rows. Of two equal numbers, the one that is exact says more.
  static func < (one: ReportedTotal, other: ReportedTotal) -> Bool {
    (one.rows, one.isAtLeast ? 0 : 1) < (other.rows, other.isAtLeast ? 0 : 1)
  }
}

extension ReportedTotal {
  /// Reads a total: a number, a text such as `1,000+`, or an object such as `{"value": 1000, "relation": "gte"}`.
  init?(_ view: JSONView) {
    if view.kind == .object {
      guard let value = view["value"] ?? view["count"], let total = ReportedTotal(scalar: value)
      else { return nil }
      self = total
      isAtLeast = isAtLeast || view.members.contains { Self.isVague($0.name, $0.value) }
    } else {
      self.init(scalar: view)
    }
  }

  private init?(scalar view: JSONView) {
    switch view.kind {
    case .number, .string: self.init(JSONAny(view, keepingDigits: true))
    case .null, .bool, .array, .object: return nil
    }
  }

  /// Reads the value of a header or a member.
  init?(_ value: JSONAny) {
    if let number = value.wholeNumber {
      guard number >= 0 else { return nil }
      self.init(rows: number)
    } else if case .string(let text) = value {
      self.init(words: text)
    } else if let number = value.double, number >= 0, number < 9e15 {
      // A fraction is an estimate.
      self.init(rows: Int(number), isAtLeast: true)
    } else {
      return nil
    }
  }

  /// Reads a number with separators between thousands, and with signs or words that it is rounded: `1,000`, `200+`,
  /// `> 10 000`, `about 5'000`.
  private init?(words text: String) {
    let text = text.trimmed
    guard text.utf8.count <= 40 else { return nil }
    let start = text.prefix { !$0.isDigit }
    let number = text.dropFirst(start.count).prefix { $0.isDigit || Self.separates($0) }
    let digits = number.reversed().drop { !$0.isDigit }.reversed()
    let end = text.dropFirst(start.count + digits.count)
    let sign = (start + " " + end).trimmed.lowercased()
    guard sign.isEmpty || Self.signs.contains(sign) else { return nil }
    let groups = String(digits).split(
      omittingEmptySubsequences: false, whereSeparator: Self.separates)
    guard let first = groups.first, !first.isEmpty else { return nil }
    if groups.count > 1, !groups.dropFirst().allSatisfy({ $0.count == 3 }) || first.count > 3 {
      // A fraction is an estimate.
      guard groups.count == 2, digits.contains("."), let whole = Int(first) else { return nil }
      self.init(rows: whole, isAtLeast: true)
    } else {
      guard let rows = Int(groups.joined()) else { return nil }
      self.init(rows: rows, isAtLeast: !sign.isEmpty)
    }
  }

  private static func separates(_ character: Character) -> Bool {
    [",", ".", "'", "’", "_", " ", "\u{A0}", "\u{202F}", "\u{2009}"].contains(character)
  }

  private static let signs: Set<String> = [
    "+", ">", ">=", "≥", "~", "≈", "about", "over", "more than", "at least", "approximately",
    "approx.",
    "approx", "ca.", "or more", "and more", "circa", "around",
  ]

  // MARK: Members beside a total

  /// Whether a member beside a total says that it is a lower bound or an estimate: `"relation": "gte"`,
  /// `"total_is_estimate": true`, `"exact_count": false`.
  static func isVague(_ name: String, _ value: JSONView) -> Bool {
    let words = NameWords(name)
    if words.words.last == "relation" {
      return ["gte", "gt", ">=", ">", "at_least", "atleast", "greater_than_or_equal_to"].contains(
        value.string?.lowercased())
    }
    if words.hasAny(of: vagueWords) { return value.yesOrNo ?? !value.isNull }
    if words.hasAny(of: ["exact", "accurate"]) { return value.yesOrNo == false }
    // `"count_type": "estimated"`
    if words.hasAny(of: ["total", "count"]), let text = value.string {
      return NameWords(text).hasAny(of: vagueWords)
    }
    return false
  }

  /// Words of names whose number is not exact.
  static let vagueWords: Set<String> = [
    "approx", "approximate", "approximated", "approximation", "estimate", "estimated",
    "estimation", "inexact", "capped", "planned",
  ]
}

extension PageResponse {
  /// Reads a total. A member beside it, or its own name, may say that it is a lower bound.
  func total(at place: ResponseLocation) -> FoundFact<ReportedTotal> {
    switch place {
    case .body(let path):
      guard let view = envelope?[path], !view.isNull else { return .missing }
      guard let total = reportedTotal(view, at: path) else {
        return .wrong(JSONAny(view, keepingDigits: true).excerpt)
      }
      return .found(total)
    case .header, .headerJSON, .relation:
      if let found = unreadable(at: place) { return .wrong(found) }
      guard let value = value(at: place), !value.isNull else { return .missing }
      guard var total = ReportedTotal(value) else { return .wrong(value.excerpt) }
      if isVague(header: place) { total.isAtLeast = true }
      return .found(total)
    }
  }

  /// Returns the total that a member is; `nil` if it is none.
  func reportedTotal(_ view: JSONView, at path: JSONPath) -> ReportedTotal? {
    guard var total = ReportedTotal(view) else { return nil }
    guard case .name(let name)? = path.segments.last, !total.isAtLeast else { return total }
    let outer = envelope?[JSONPath(Array(path.segments.dropLast()))]
    total.isAtLeast =
      NameWords(name).hasAny(of: ReportedTotal.vagueWords)
      || outer?.members.contains { $0.name != name && ReportedTotal.isVague($0.name, $0.value) }
        ?? false
    return total
  }

  /// Whether a header has an estimate: by its name, or as PostgREST says.
  func isVague(header place: ResponseLocation) -> Bool {
    switch place {
    case .header(let name) where NameWords(name).hasAny(of: ReportedTotal.vagueWords): return true
    case .headerJSON(_, let path): return NameWords(path.plainText).hasAny(of: ReportedTotal.vagueWords)
    case .header: break
    case .body, .relation: return false
    }
    let preference = response.headers["Preference-Applied"].map { NameWords($0) }
    return preference?.has("count") == true
      && preference?.hasAny(of: ReportedTotal.vagueWords) == true
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
