internal import ItemMapping
internal import ServerAPI
internal import Support

/// Conventions in which the response has the address of the next page.
extension Evidence {
  /// The `Link` header: GitHub, WordPress, Shopify and many others.
  var linkHeader: Finding? {
    let links = page.response.headers.links.filter { $0.isAbout(page.response.url) }
    let relations = Set(links.flatMap(\.relations))
    let paging = Paging.link(total: headerTotal?.place)
    if relations.contains("next") {
      return Finding(paging, "the header Link has a link to “next”")
    }
    guard let other = ["prev", "previous", "first", "last"].first(where: relations.contains) else {
      return nil
    }
    // Where pages are counted from 0, number 1 is the second one.
    if other == "last", page.key.place == .start, lastPageInLink == 1 { return nil }
    var finding = Finding(paging, "the header Link has a link to “\(other)” and none to “next”")
    finding.isStandard = true
    return finding
  }

  /// A header of its own with the address of the next page.
  var addressHeader: Finding? {
    for field in page.response.headers.fields {
      let words = NameWords(field.name)
      guard words.has("next"), isAddress(field.value, words), isKnown(words) else { continue }
      return Finding(
        .nextURL(at: .header(field.name), total: totalPlace),
        "the header \(field.name) has an address")
    }
    return nil
  }

  /// An address in the body: Django REST framework, Spotify, Laravel, JSON:API, HAL, OData, FHIR …
  var nextURL: Finding? {
    nextURL(known: true) ?? relation ?? endedLinks
  }

  /// An address whose name has other words.
  var strangeURL: Finding? { nextURL(known: false) }

  private func nextURL(known: Bool) -> Finding? {
    for member in members where leadsOn(member.words) && isKnown(member.words) == known {
      let reason = "the body has “\(member.path.plainText)”"
      guard let (view, path) = EvidencePlaces.object(member.value, at: member.path) else {
        if let text = member.value.string, isAddress(text, member.words) {
          return nextURL(at: member.path, text, reason)
        }
        continue
      }
      if let (name, link) = view.link, let text = link.string, !text.isEmpty {
        // A member `href` is found by itself.
        return nextURL(at: name == "href" ? path : path.appending(.name(name)), text, reason)
      }
    }
    return nil
  }

  /// Whether a name says that its address leads to the next page: `nextLink`, and `more_topics_url`.
  private func leadsOn(_ words: NameWords) -> Bool {
    words.has("next") || words.words.first == "more" && words.hasAny(of: Self.linkWords)
  }

  static let linkWords: Set<String> = ["url", "uri", "link", "href"]

  private func nextURL(at path: JSONPath, _ text: String, _ reason: String) -> Finding {
    Finding(
      .nextURL(at: .body(path), previous: previous(of: path), total: totalPlace), reason)
  }

  /// The member with the address of the page before: named like the one of the next page.
  private func previous(of path: JSONPath) -> ResponseLocation? {
    guard case .name(let name)? = path.segments.last else { return nil }
    let words = NameWords(name).words
    let siblings = path.segments.dropLast()
    for other in FactNames.previous {
      let wanted = words.map { $0 == "next" ? other : $0 }
      let found = members.first {
        $0.words.words == wanted && $0.path.segments.dropLast() == siblings
          && ($0.value.isNull || $0.value.string != nil)
      }
      if wanted != words, let found { return .body(found.path) }
    }
    return nil
  }

  /// The location of the total, for pagings that only report it.
  var totalPlace: ResponseLocation? { total.map { .body($0.path) } }

  /// An array of links with relations, as in STAC, Siren and FHIR.
  private var relation: Finding? {
    for member in members where member.value.kind == .array && isLinks(member.words) {
      let relations = member.value.elements.prefix(50).flatMap(\.relations)
      guard relations.contains("next") else { continue }
      return Finding(
        .nextURL(at: .relation("next", in: member.path), total: totalPlace),
        "the body has a link to “next” in “\(member.path.plainText)”")
    }
    return nil
  }

  private func isLinks(_ words: NameWords) -> Bool {
    (words.has("links") || words.has("link")) && isKnown(words)
  }

  /// Signs that addresses are used, though this response has none for a next page. A page that is full shows no end by
  /// a link to itself.
  private var endedLinks: Finding? {
    for member in members where member.words.has("next") && isAddressName(member.words) {
      guard isKnown(member.words) else { continue }
      guard member.value.isNull || member.value.string == "" else { continue }
      let state = member.value.isNull ? "null" : "empty"
      var finding = Finding(
        .nextURL(at: .body(member.path), previous: previous(of: member.path), total: totalPlace),
        "the body has “\(member.path.plainText)”, which is \(state)")
      finding.isEnough = isWellKnown(member.path, as: .next)
      return finding
    }
    if isFull { return nil }
    for member in members where isLinks(member.words) {
      let path = member.path.plainText
      if member.value.kind == .object,
        ["self", "first", "prev", "last"].contains(where: { member.value[$0] != nil })
      {
        return Finding(
          .nextURL(at: .body(member.path.appending(.name("next"))), total: totalPlace),
          "the body has links in “\(path)” and no “next”")
      }
      let relations = Set(
        member.value.kind == .array ? member.value.elements.prefix(50).flatMap(\.relations) : [])
      if !relations.isDisjoint(with: ["self", "first", "prev", "previous", "last"]) {
        return Finding(
          .nextURL(at: .relation("next", in: member.path), total: totalPlace),
          "the body has links in “\(path)” and none to “next”")
      }
    }
    return endedConventions
  }

  /// Whether a member that is empty may have had an address; a cursor or number is looked for elsewhere.
  private func isAddressName(_ words: NameWords) -> Bool {
    words.words == ["next"] || words.hasAny(of: Self.linkWords)
      || words.words == ["next", "page"] && number(FactNames.page) == nil
  }

  /// Signs of OData, and of the Graph API, that there are no more pages.
  private var endedConventions: Finding? {
    for place in places {
      if case .name("paging")? = place.path.segments.last, place.value["cursors"]?["after"] != nil {
        return Finding(
          .nextURL(at: .body(place.path.appending(.name("next"))), total: totalPlace),
          "the body has cursors in “\(place.path.plainText)” and no “next”")
      }
    }
    for (sign, name) in [
      ("@odata.context", "@odata.nextLink"), ("odata.metadata", "odata.nextLink"),
    ] where page.envelope?[sign] != nil {
      return Finding(
        .nextURL(at: .body([.name(name)]), total: totalPlace),
        "the body has “\(sign)” and no “\(name)”")
    }
    if page.itemsPath == ["d", "results"] {
      return Finding(
        .nextURL(at: "d.__next", total: totalPlace), "the body has “d.results” and no “d.__next”")
    }
    return nil
  }

  /// Whether a text is an address rather than a cursor: absolute, from the root, a query, or a file beside this page's.
  func isAddress(_ text: String, _ words: NameWords) -> Bool {
    guard !text.isEmpty, !text.utf8.contains(0x20) else { return false }
    if Self.startsOfAddresses.contains(where: text.hasPrefixIgnoringCase) { return true }
    // `People?$skiptoken=3`; base64 has no question mark.
    if text.utf8.contains(0x3F), text.utf8.contains(0x3D) { return true }
    if words.hasAny(of: Self.linkWords) { return true }
    let file = page.response.url.path.split(separator: "/").last ?? ""
    guard let dot = file.lastIndex(of: ".") else { return false }
    return text.utf8.suffix(file[dot...].utf8.count).elementsEqual(file[dot...].utf8)
  }

  private static let startsOfAddresses: [StaticString] = ["http://", "https://", "/", "?", "./"]
}

extension JSONView {
  /// The relations of a link in an array: one, or several.
  fileprivate var relations: [String] {
    guard let view = self["rel"] ?? self["relation"] else { return [] }
    return view.string.map { [$0] } ?? view.elements.compactMap(\.string)
  }
}
