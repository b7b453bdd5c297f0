internal import ItemMapping
internal import ServerAPI

/// A fact with its path.
struct Fact<Value> {
  let path: JSONPath
  let value: Value
}

/// The first response of a list, searched for facts about its place.
///
/// Facts are beside the rows, in one of the objects around them, or in a member of those that is
/// known to hold facts; see ``EvidencePlaces``. Facts closer to the rows are preferred. Names are compared by their words.
struct Evidence {
  /// A member of a place, with the words of its name.
  struct Member {
    let path: JSONPath
    let name: String
    let words: NameWords
    let value: JSONView
  }

  let page: PageResponse
  let places: [Fact<JSONView>]
  /// The members of all places, in their order.
  let members: [Member]
  private let byWords: [String: [Int]]
  let parameters: CallParameters

  private static let mostMembers = 4000

  init(_ page: PageResponse) {
    self.page = page
    parameters = CallParameters(of: page.call)
    places = page.envelope.map { EvidencePlaces(around: page.itemsPath, in: $0).places } ?? []
    var members: [Member] = []
    var byWords: [String: [Int]] = [:]
    for place in places {
      for member in place.value.members {
        guard members.count < Self.mostMembers else { break }
        let path = place.path.appending(.name(member.name))
        if path == page.itemsPath { continue }
        let name = KnownName.named(member.name)
        for idea in name.ideas { byWords[idea, default: []].append(members.count) }
        members.append(
          Member(path: path, name: member.name, words: name.words, value: member.value))
      }
    }
    self.members = members
    self.byWords = byWords
  }

  /// The members with these words, ordered by name, then from the closest place outwards.
  func members(_ names: [String]) -> some Sequence<Member> {
    names.lazy.flatMap { name in (byWords[name] ?? []).lazy.map { members[$0] } }
  }

  /// The first non-negative number under one of these names.
  func number(_ names: [String]) -> Fact<Int>? {
    members(names).lazy.compactMap { member in
      member.value.wholeNumber.flatMap { $0 < 0 ? nil : Fact(path: member.path, value: $0) }
    }.first { _ in true }
  }

  /// The first `true` or `false` under one of these names.
  func flag(_ names: [String]) -> Fact<Bool>? {
    members(names).lazy.compactMap { member in
      member.value.bool.map { Fact(path: member.path, value: $0) }
    }.first { _ in true }
  }
}

extension JSONView {
  /// The text of a link: the value itself, or its `href`, `url`, `uri` or `link`.
  var link: (name: String, view: JSONView)? {
    guard kind == .object else { return nil }
    return ["href", "url", "uri", "link", "@href"].lazy.compactMap { name in
      self[name].map { (name, $0) }
    }.first
  }
}

extension EndRule {
  /// The location of the fact, for a sentence.
  var place: String { location.map { "\($0)" } ?? declared }
}
