internal import ItemMapping
internal import ServerAPI

extension Evidence {
  /// The facts that the response has.
  func signs(with facts: PageFacts, next place: ResponseLocation?) -> PageSigns {
    var signs: PageSigns = []
    if facts.total ?? total?.value ?? headerTotal?.total != nil {
      signs.insert(.total)
    }
    if number(FactNames.page.filter { $0 != "number" }) != nil || headerNumber != nil {
      signs.insert(.pageNumber)
    }
    if facts.pageCount != nil || lastNumber != nil { signs.insert(.pageCount) }
    if hasMore != nil || isLast != nil { signs.insert(.flag) }
    if page.response.headers["Link"] != nil,
      ["first", "prev", "previous", "last"].contains(where: { page.response.link($0) != nil })
    {
      signs.insert(.links)
    }
    if let place, page.value(at: place) != nil { signs.insert(.next) }
    if hasOtherMembers(than: place) { signs.insert(.other) }
    return signs
  }

  private func hasOtherMembers(than place: ResponseLocation?) -> Bool {
    guard let envelope = page.envelope, envelope.kind == .object else { return false }
    var known = [page.itemsPath.segments.first]
    if case .body(let path) = place { known.append(path.segments.first) }
    return envelope.members.contains { !known.contains(.name($0.name)) }
  }
}
