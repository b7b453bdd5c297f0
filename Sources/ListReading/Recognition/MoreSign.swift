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
      Evidence.isKey(NameWords(name))
    } else {
      false
    }
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

extension Evidence {
  /// The members and headers that say whether there is more, besides those that a paging reads.
  ///
  /// - Parameters:
  ///   - flags: The flags that rules of the paging read, which mean what the program says.
  ///   - place: Where the paging reads the next page.
  func moreSigns(besides flags: [ResponseLocation], _ place: ResponseLocation?) -> [MoreSign] {
    var signs: [MoreSign] = []
    signs += self.flags(FactNames.hasMore).map { MoreSign(kind: .hasMore, place: .body($0.path)) }
    signs += self.flags(FactNames.isLast).map { MoreSign(kind: .isLast, place: .body($0.path)) }
    signs += members.compactMap { member in
      OmissionNames.value(of: member.words).map {
        MoreSign(kind: .omission($0), place: .body(member.path))
      }
    }
    signs += headerFlags
    let headers = page.response.headers
    for name in Self.moreHeaders where headers[name] != nil {
      signs.append(MoreSign(kind: .hasMore, place: .header(name)))
    }
    var links: [ResponseLocation] = members.filter(isNext).map { .body($0.path) }
    links += Self.nextHeaders.filter { headers[$0] != nil }.map { .header($0) }
    if headers["Link"] != nil { links.append(.header("Link")) }
    signs += links.map { MoreSign(kind: .next, place: $0) }
    signs += members.filter { $0.value.kind == .array && $0.value.hasNextLink }.map {
      MoreSign(kind: .next, place: .relation("next", in: $0.path))
    }
    return signs.filter { sign in
      !flags.contains(sign.place) && sign.place != place && !isInside(place, sign.place)
    }
  }

  private static let moreHeaders = [
    "X-Has-More", "X-Has-Next", "X-Has-Next-Page", "X-Has-More-Pages", "X-More", "X-Truncated",
  ]

  /// The headers with the next page of GitLab, Oracle Cloud, Azure and others.
  private static let nextHeaders = [
    "X-Next-Page", "opc-next-page", "x-ms-continuation", "X-Next-Cursor", "X-Next-Token",
    "X-Next-Page-Token",
  ]

  /// Whether the place that the paging reads is inside of another one: `links.next.href` in `links.next`.
  private func isInside(_ place: ResponseLocation?, _ other: ResponseLocation) -> Bool {
    guard case .body(let inner)? = place, case .body(let outer) = other else { return false }
    return inner.segments.starts(with: outer.segments)
  }

  /// Names of the cursor of the next page that no page has for itself: Kubernetes, Azure, DynamoDB.
  private static let keys: Set<String> = [
    "continue", "continuation", "continuation token", "last evaluated key",
  ]

  static func isKey(_ name: NameWords) -> Bool {
    ["continue", "continuation", "last"].contains(name.words.first) && keys.contains(name.text)
  }

  /// Whether a member has a well-known name of the link to the next page, and one that leads nowhere else.
  private func isNext(_ member: Member) -> Bool {
    switch member.value.kind {
    case .string where member.words.words == ["more"]:
      member.value.string.map { $0.hasPrefix("/") || $0.hasPrefix("http") } ?? false
    case .string, .number, .null, .object:
      member.words.has("next")
        ? isWellKnown(member.path, as: .next)
        : Self.isKey(member.words)
    case .bool, .array: false
    }
  }
}
