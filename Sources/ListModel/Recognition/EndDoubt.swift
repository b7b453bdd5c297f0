internal import ItemMapping
internal import ServerAPI

/// Why a page is requested although the page before it seems to be the last one.
///
/// The page settles the doubt: with new rows the list goes on, otherwise it has ended.
enum EndDoubt: Hashable, Sendable {
  /// Only a number says that it is the last one, and another number, or a page as full as it can be, that there is more.
  case unconfirmed
  /// A fact says that there is more, in these words.
  case contradicted(String)

  /// How the list ended if no new rows follow and nothing more is said.
  var end: PageFacts.Link {
    switch self {
    case .unconfirmed: .end
    case .contradicted(let reason): .stopped(.missingRows(reason))
    }
  }

  /// Whether a response with this error status says that there is no such page.
  func isSettled(by status: Int) -> Bool { [400, 404, 410, 416, 422].contains(status) }
}

/// The facts about its place that a response has.
struct PageSigns: OptionSet, Hashable, Sendable {
  var rawValue: UInt8

  /// A number of all rows.
  static let total = PageSigns(rawValue: 1)
  static let pageNumber = PageSigns(rawValue: 2)
  static let pageCount = PageSigns(rawValue: 4)
  /// A flag that says whether there is more.
  static let flag = PageSigns(rawValue: 8)
  /// A header with links.
  static let links = PageSigns(rawValue: 16)
  /// The address or cursor of the next page, or what stands there instead.
  static let next = PageSigns(rawValue: 32)
  /// Any other member beside the rows.
  static let other = PageSigns(rawValue: 64)

  /// Whether a response with these signs may be another one than was meant: it lacks one that has no reason to go, or all
  /// that the pages before it had.
  func areDoubtful(after earlier: PageSigns) -> Bool {
    let missing = earlier.subtracting(self)
    return missing.contains(.total) || missing.contains(.pageNumber)
      || !earlier.isEmpty && missing == earlier
  }
}

extension Evidence {
  /// The facts that the response has.
  func signs(with facts: PageFacts, next place: ResponseLocation?) -> PageSigns {
    var signs: PageSigns = []
    if facts.total ?? number(FactNames.total)?.value ?? headerTotal?.total != nil {
      signs.insert(.total)
    }
    if number(FactNames.page.filter { $0 != "number" }) != nil || headerNumber != nil {
      signs.insert(.pageNumber)
    }
    if facts.pageCount != nil || lastNumber != nil { signs.insert(.pageCount) }
    if hasMore != nil || isLast != nil { signs.insert(.flag) }
    if page.response.headers["Link"] != nil { signs.insert(.links) }
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
