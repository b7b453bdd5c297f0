internal import ItemMapping
internal import ServerAPI

/// A member or header that says whether there are rows after a page, and that the paging doesn't follow.
///
/// They are found in the first response, and read in each later one: a server that says that there is more and then
/// refuses the next page has more.
struct MoreSign: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A flag that is true where there is more.
    case hasMore
    /// A flag that is false where there is more.
    case isLast
    /// A member that has this value where rows are left out, and says nothing otherwise.
    case omission(Bool)
    /// A cursor, a number or the address of the next page.
    case next
  }

  let kind: Kind
  let place: ResponseLocation

  /// Whether there is more; `nil` where the response doesn't say.
  func says(_ page: PageResponse) -> Bool? {
    switch kind {
    case .hasMore: flag(in: page)
    case .isLast: flag(in: page).map { !$0 }
    case .omission(let value): flag(in: page) == value ? true : nil
    case .next:
      if place == .header("Link") {
        page.response.link("next") == nil ? nil : true
      } else {
        page.value(at: place).map { Self.leadsOn($0) || isKey && $0.object?.isEmpty == false }
      }
    }
  }

  /// Whether the place is that of a key, which may be an object: DynamoDB.
  private var isKey: Bool {
    if case .body(let path) = place, case .name(let name)? = path.segments.last {
      Self.isKey(NameWords(name))
    } else {
      false
    }
  }

  /// Names of the cursor of the next page that no page has for itself: Kubernetes, Azure, DynamoDB.
  private static let keys: Set<String> = [
    "continue", "continuation", "continuation token", "last evaluated key",
  ]

  static func isKey(_ name: NameWords) -> Bool {
    ["continue", "continuation", "last"].contains(name.words.first) && keys.contains(name.text)
  }

  private func flag(in page: PageResponse) -> Bool? {
    if case .found(let flag) = page.flag(at: place) { flag } else { nil }
  }

  /// Whether a value leads to another page: a text, a number above 0, or an object with a link.
  private static func leadsOn(_ value: JSONAny) -> Bool {
    let links = ["href", "url", "uri", "link", "after", "cursor", "token"]
    let value = links.lazy.compactMap { value[$0] }.first { _ in true } ?? value
    return value.string.map { !$0.isEmpty && $0 != "0" } ?? value.int.map { $0 > 0 } ?? false
  }

  /// What is said of an end where there is more.
  var reason: String {
    let name = if case .body(let path) = place { "“\(path.plainText)”" } else { "the \(place)" }
    return switch kind {
    case .omission(let value): "the list ended, but \(name) is \(value)"
    case .hasMore: "the list ended, but \(name) is true"
    case .isLast: "the list ended, but \(name) is false"
    case .next: "the list ended, but \(name) leads to another page"
    }
  }
}

extension [MoreSign] {
  /// What says that there is more after a page, in words, and what says that there isn't, in the words that it has where
  /// there is. Flags decide over links, of which many servers send one with the last page too. A link that is missing says
  /// nothing.
  func verdict(on page: PageResponse) -> (more: [String], denied: [String]) {
    var more: [String] = []
    var denied: [String] = []
    func read(_ signs: [MoreSign], isOver: Bool) {
      for sign in signs {
        guard let isMore = sign.says(page) else { continue }
        if isMore, !isOver { more.append(sign.reason) } else { denied.append(sign.reason) }
      }
    }
    read(filter { $0.kind != .next }, isOver: false)
    read(filter { $0.kind == .next }, isOver: more.isEmpty && !denied.isEmpty)
    return (more, denied)
  }
}
