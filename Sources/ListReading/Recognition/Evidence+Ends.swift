internal import ItemMapping
internal import ServerAPI

/// What says that a page is the last one, by its name.
struct EndHint: Hashable {
  /// The kind of the member. Two of one kind say the same thing twice, and don't confirm each other.
  enum Kind: Hashable {
    case flag, next, count, convention
  }

  /// What the response has, as a phrase: `“has_more” is false`.
  let text: String
  let kind: Kind
  /// Whether it is enough for the end: a well-known name in a usual place, or a convention.
  let isEnough: Bool
}

extension Evidence {
  /// What says that the page is the last one.
  ///
  /// - Parameter ended: The convention whose next page is missing, if there is one.
  func endSigns(_ ended: Finding?) -> [EndHint] {
    var signs = flagSigns
    if let ended, ended.isEnough {
      signs.append(EndHint(text: ended.reason, kind: .convention, isEnough: true))
    }
    for member in members where isNextName(member) {
      guard member.value.isNull || member.value.string == "" else { continue }
      signs.append(
        EndHint(
          text: "“\(member.path.plainText)” is \(member.value.isNull ? "null" : "empty")",
          kind: .next,
          isEnough: isWellKnown(member.path, as: .next)))
    }
    // A full page may be counted by its own number of rows.
    if isAtStart, page.count != sizeParameter?.value, reportedTotal?.isAtLeast == false {
      if let total, total.value == page.count {
        signs.append(
          EndHint(
            text: "“\(total.path.plainText)” is \(total.value)", kind: .count,
            isEnough: isWellKnown(total.path, as: .total)))
      } else if let (place, total) = headerTotal, total == page.count {
        signs.append(EndHint(text: "the \(place) is \(total)", kind: .count, isEnough: true))
      }
    }
    return signs
  }

  /// The flags that say that the page is the last one.
  var flagSigns: [EndHint] {
    func signs(_ names: [String], _ end: Bool) -> [EndHint] {
      flags(names).filter { $0.value == end }.map { flag in
        EndHint(
          text: "“\(flag.path.plainText)” is \(end)", kind: .flag,
          isEnough: isWellKnown(flag.path, as: .flag))
      }
    }
    return signs(FactNames.hasMore, false) + signs(FactNames.isLast, true)
  }

  /// Whether signs prove an end: a well-known one, two that are independent, or any if the page is shorter than was
  /// asked for.
  func prove(_ signs: [EndHint]) -> Bool {
    signs.contains(where: \.isEnough) || Set(signs.map(\.kind)).count > 1
      || !signs.isEmpty && sizeParameter.map { page.count < $0.value } ?? false
  }

  /// Whether a flag says that the page is the last one, and it is enough or not.
  var isEndedByFlag: Bool { flagSigns.contains { _ in true } }

  /// Whether the page has fewer rows than the size that the response names.
  var isShort: Bool { number(FactNames.size).map { page.count < $0.value } ?? false }

  /// Whether a member would have the address or the cursor of the next page.
  func isNextName(_ member: Member) -> Bool {
    guard isKnown(member.words) else { return false }
    if member.words.has("next") { return true }
    return isTokenName(member)
  }
}

extension [EndHint] {
  /// The sign that decides, in words.
  var deciding: String? { (first(where: \.isEnough) ?? first)?.text }
}

extension PageStrategy {
  /// The member or header that a paging reads the end from, if it is one with a guessed meaning.
  func endMember(in page: PageResponse) -> String? {
    func rule(_ pages: CountedPages) -> String? {
      guard page.count > 0 else { return nil }
      return pages.ends.lazy.compactMap(\.location).first { page.value(at: $0) != nil }
        .map { "\($0)" }
    }
    return switch way {
    case .pageNumber(let paging): rule(paging.pages)
    case .offset(let paging): rule(paging.pages)
    case .keyset(let paging): rule(paging.pages)
    case .cursor(let paging): "\(paging.next)"
    case .nextURL(let paging): "\(paging.next)"
    case .relay(let paging): "\(paging.connection.appending("pageInfo").plainText)"
    // Their headers are standards.
    case .link, .range, .custom, .single, .automatic: nil
    }
  }
}
