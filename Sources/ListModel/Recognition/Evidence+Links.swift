internal import ItemMapping
internal import ServerAPI

/// Conventions in which the response has the address of the next page.
extension Evidence {
  /// The `Link` header: GitHub, WordPress, Shopify and many others.
  var linkHeader: Finding? {
    let links = page.response.headers.links.filter { $0.isAbout(page.response.url) }
    let relations = Set(links.flatMap(\.relations))
    let paging = Paging.link(total: headerTotal.map { .header($0.name) })
    if relations.contains("next") {
      return Finding(paging, "the header Link has a link to “next”")
    }
    guard let other = ["prev", "previous", "first", "last"].first(where: relations.contains) else {
      return nil
    }
    return Finding(paging, "the header Link has a link to “\(other)” and none to “next”")
  }

  /// An address in the body: Django REST framework, Spotify, Laravel, JSON:API, HAL, OData, FHIR …
  var nextURL: Finding? {
    for fact in members(FactNames.nextURL) {
      if let address = fact.value.link, address.string != nil || address.isNull {
        // A member `href` is found by itself, a member `url` is not.
        let path = fact.value["href"] == nil ? fact.path.appending(.name("url")) : fact.path
        return nextURL(at: path, "has “\(fact.path.plainText)”")
      }
      if let text = fact.value.string, text.looksLikeAddress {
        return nextURL(at: fact.path, "has “\(fact.path.plainText)”")
      }
    }
    return bundleLink ?? endedLinks
  }

  private func nextURL(at path: JSONPath, _ seen: String) -> Finding {
    let names = ["next": ["previous", "prev"], "next_page_url": ["prev_page_url"]]
    var previous: ResponseLocation?
    if case .name(let name)? = path.segments.last {
      let siblings = JSONPath(Array(path.segments.dropLast()))
      let name = names[name, default: []].first { page.envelope?[siblings]?[$0] != nil }
      previous = name.map { .body(siblings.appending(.name($0))) }
    }
    return Finding(
      .nextURL(at: .body(path), previous: previous, total: totalPlace), "the body \(seen)")
  }

  /// The location of the total, for pagings that only report it.
  private var totalPlace: ResponseLocation? { total.map { .body($0.path) } }

  /// The link array of a FHIR Bundle.
  private var bundleLink: Finding? {
    guard page.envelope?["resourceType"]?.string == "Bundle",
      let links = page.envelope?["link"], links.kind == .array
    else { return nil }
    let hasNext = links.elements.contains { $0["relation"]?.string == "next" }
    return Finding(
      .nextURL(at: .relation("next", in: "link"), total: totalPlace),
      "the body is a FHIR Bundle with \(hasNext ? "a" : "no") link to “next”")
  }

  /// Signs that addresses are used, though this response has none for a next page.
  private var endedLinks: Finding? {
    for fact in members(FactNames.nextURL) where fact.value.isNull {
      return nextURL(at: fact.path, "has “\(fact.path.plainText)”, which is null")
    }
    for place in places {
      guard case .name(let name)? = place.path.segments.last else { continue }
      let next = place.path.appending(.name("next"))
      let isLinks = ["links", "_links"].contains(name)
      if isLinks, ["self", "first", "prev", "last"].contains(where: { place.value[$0] != nil }) {
        return nextURL(at: next, "has links in “\(place.path.plainText)” and no “next”")
      }
      if name == "paging", place.value["cursors"]?["after"] != nil {
        return nextURL(at: next, "has cursors in “\(place.path.plainText)” and no “next”")
      }
    }
    for (sign, name) in [
      ("@odata.context", "@odata.nextLink"), ("odata.metadata", "odata.nextLink"),
    ] where page.envelope?[sign] != nil {
      return nextURL(at: [.name(name)], "has “\(sign)” and no “\(name)”")
    }
    if page.itemsPath == ["d", "results"] {
      return nextURL(at: ["d", "__next"], "has “d.results” and no “d.__next”")
    }
    return nil
  }
}

extension String {
  /// Whether a text is an address rather than a cursor: absolute, from the root, or a query.
  fileprivate var looksLikeAddress: Bool {
    let start = prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://") || start.hasPrefix("/")
      || start.hasPrefix("?") || start.hasPrefix("./")
      // `People?$skiptoken=3`; base64 has no question mark.
      || contains("?") && contains("=") && !contains(" ")
  }
}
