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
/// known to hold facts; see ``EvidencePlaces``. Facts closer to the rows are preferred. Names are compared by their
/// words.
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
  /// The places that are about something other than the rows.
  let asides: Set<JSONPath>
  /// The members of all places, in their order.
  let members: [Member]
  private let byWords: [String: [Int]]
  let parameters: CallParameters
  /// The words that name the rows.
  let own: Set<String>

  private static let mostMembers = 4000

  init(_ page: PageResponse) {
    self.page = page
    parameters = CallParameters(of: page.call)
    let found = page.envelope.map { EvidencePlaces(around: page.itemsPath, in: $0) }
    (places, asides) = (found?.places ?? [], found?.asides ?? [])
    let own = Self.ownWords(of: page)
    self.own = own
    var members: [Member] = []
    var byWords: [String: [Int]] = [:]
    for place in places {
      for member in place.value.members {
        guard members.count < Self.mostMembers else { break }
        let path = place.path.appending(.name(member.name))
        if path == page.itemsPath { continue }
        let name = member.name
        let words = KnownNames.words(of: name)
        for idea in KnownNames.ideas(of: name) { byWords[idea, default: []].append(members.count) }
        if let idea = words.ideaOfFlag(own: own) {
          byWords[idea, default: []].append(members.count)
        }
        members.append(Member(path: path, name: name, words: words, value: member.value))
      }
    }
    self.members = members
    self.byWords = byWords
  }

  /// The members with these words, ordered by name, then from the closest place outwards.
  func members(_ names: [String]) -> some Sequence<Member> {
    // Without the rest of the evidence, which is large.
    names.lazy.flatMap { [byWords, members] name in
      (byWords[name] ?? []).lazy.map { members[$0] }
    }
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

  /// The flags under these names, also those that are 1, 0 or texts where the name can't be that of a number.
  func flags(_ names: [String]) -> [Fact<Bool>] {
    members(names).compactMap { member in
      (member.words.isClearFlag ? member.value.yesOrNo : member.value.bool).map {
        Fact(path: member.path, value: $0)
      }
    }
  }
}

extension JSONView {
  /// The text of a link: the value itself, or its `href`, `url`, `uri` or `link`.
  var link: (name: String, view: JSONView)? {
    guard kind == .object else { return nil }
    return ["href", "url", "uri", "link", "@href"].lazy.compactMap { name in
      self[name].map { (name, $0) }
    }.first { _ in true }
  }
}

extension EndRule {
  /// The location of the fact, for a sentence.
  var place: String { location.map { "\($0)" } ?? declared }
}

/// Finds the objects of a response that may hold facts about its place in the list.
///
/// These are the objects around the rows, and objects in them whose names are known to hold facts, such as
/// `meta.pagination.links`, up to three deep; then other small objects in one of these. An array of one object counts
/// as that object. The search visits a limited number of members, however the response is built.
struct EvidencePlaces {
  private static let deepest = 3
  private static let mostPlaces = 100
  /// Objects with very many members are tables of something else, and searching them is slow.
  private static let mostMembers = 1000
  /// Objects without a known name have few members if they hold facts.
  private static let mostInOthers = 30

  private(set) var places: [Fact<JSONView>] = []
  /// The places whose numbers count something else: objects of unknown names, and objects with another list.
  private(set) var asides: Set<JSONPath> = []

  init(around items: JSONPath, in envelope: JSONView) {
    for length in stride(from: items.segments.count - 1, through: 0, by: -1) {
      let path = JSONPath(Array(items.segments.prefix(length)))
      guard let view = envelope[path] else { continue }
      if view.kind == .object {
        search(from: view, at: path, besides: items)
      } else if view.kind == .array, view.count <= 4, length < items.segments.count {
        // `[{"page": 1, …}, [rows]]`
        for (index, element) in view.elements.enumerated() where element.kind == .object {
          search(from: element, at: path.appending(.index(index)), besides: items)
        }
      }
    }
  }

  /// Adds an object and the places in it, the outer ones first.
  private mutating func search(from root: JSONView, at path: JSONPath, besides items: JSONPath) {
    var level = [(object: root, path: path, isKnown: true)]
    for depth in 0...Self.deepest {
      var inner: [(JSONView, JSONPath, Bool)] = []
      var others: [(JSONView, JSONPath, Bool)] = []
      for (object, path, isKnown) in level {
        guard object.count <= Self.mostMembers, places.count < Self.mostPlaces,
          !places.contains(where: { $0.path == path })
        else { continue }
        places.append(Fact(path: path, value: object))
        if depth > 0, Self.isAside(object, at: path, isKnown) { asides.insert(path) }
        guard depth < Self.deepest, isKnown else { continue }
        for member in object.members {
          let memberPath = path.appending(.name(member.name))
          guard memberPath != items, let found = Self.object(member.value, at: memberPath) else {
            continue
          }
          if NameWords(member.name).hasAny(of: FactNames.places) {
            inner.append((found.0, found.1, true))
          } else if found.0.count <= Self.mostInOthers {
            others.append((found.0, found.1, false))
          }
        }
      }
      level = inner + others
    }
  }

  /// Whether an object beside the list is about something else: `comments: {"total": 20}`.
  private static func isAside(_ object: JSONView, at path: JSONPath, _ isKnown: Bool) -> Bool {
    let hasList = object.members.contains { member in
      member.value.kind == .array && !ListNames.asides.contains(member.name)
        && member.value[0]?.kind == .object
    }
    if hasList { return true }
    guard !isKnown else { return false }
    let name = path.segments.last { if case .name = $0 { true } else { false } }
    guard case .name(let name)? = name else { return false }
    return !NameWords(name).hasAny(of: FactNames.countPlaces)
  }

  /// Returns an object, or the only object of an array.
  static func object(_ view: JSONView, at path: JSONPath) -> (JSONView, JSONPath)? {
    if view.kind == .object { return (view, path) }
    guard view.kind == .array, view.count == 1, let only = view[0], only.kind == .object else {
      return nil
    }
    return (only, path.appending(.index(0)))
  }
}
