internal import ItemMapping

/// Finds the objects of a response that may hold facts about its place in the list.
///
/// These are the objects around the rows, and objects in them whose names are known to hold facts, such as
/// `meta.pagination.links`, up to three deep; then other small objects in one of these. An array of one object counts as that object. The search visits a limited
/// number of members, however the response is built.
struct EvidencePlaces {
  private static let deepest = 3
  private static let mostPlaces = 100
  /// Objects with very many members are tables of something else, and searching them is slow.
  private static let mostMembers = 1000
  /// Objects without a known name have few members if they hold facts.
  private static let mostInOthers = 30

  private(set) var places: [Fact<JSONView>] = []
  private var visited: Set<JSONPath> = []

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
          visited.insert(path).inserted
        else { continue }
        places.append(Fact(path: path, value: object))
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

  /// Returns an object, or the only object of an array.
  static func object(_ view: JSONView, at path: JSONPath) -> (JSONView, JSONPath)? {
    if view.kind == .object { return (view, path) }
    guard view.kind == .array, view.count == 1, let only = view[0], only.kind == .object else {
      return nil
    }
    return (only, path.appending(.index(0)))
  }
}
