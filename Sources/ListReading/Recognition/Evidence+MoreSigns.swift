internal import ItemMapping
internal import ServerAPI

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

  /// Whether a member has a well-known name of the link to the next page, and one that leads nowhere else.
  private func isNext(_ member: Member) -> Bool {
    switch member.value.kind {
    case .string where member.words.words == ["more"]:
      member.value.string.map { $0.hasPrefix("/") || $0.hasPrefix("http") } ?? false
    case .string, .number, .null, .object:
      member.words.has("next")
        ? isWellKnown(member.path, as: .next)
        : MoreSign.isKey(member.words)
    case .bool, .array: false
    }
  }
}
