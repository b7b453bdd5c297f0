internal import ItemMapping

/// Finds the array of rows in a response, where its path was not declared.
///
/// The rules, in order:
/// 1. The whole response is an array. An array of one envelope is that envelope, and an array of rows among objects
/// with
///    facts is the rows.
/// 2. An array with a usual name for lists, at the outermost level that has one. It may be inside
///    objects that are known to wrap lists, such as `data`, and nowhere else.
/// 3. The only other array of objects, at the outermost level that has one; of several the longest, if no
///    other is half as long. One further in is chosen if it is longer and has facts about pages beside it.
/// 4. The only array of anything else, or the only empty one. One whose length is a number beside it is never empty.
///
/// Where a rule leaves several candidates, none is chosen: the wrong list would look like the right one.
struct ListFinder {
  /// The number of levels to search. No real envelope is deeper.
  private static let deepest = 4
  /// The number of members to search.
  private static let budget = 20_000

  private var arrays: [Candidate] = []
  private var budget = Self.budget

  private struct Candidate {
    var path: [JSONPath.Segment]
    var content: Content
    var count: Int
    /// Whether all names above it are usual wrappers, and its own name is a usual one for lists.
    var isWellKnown: Bool
    /// Whether its name says that it is about the rows and is not the rows.
    var isAside: Bool
    /// Whether it may be the rows all the same: its elements have ids, as those of a mailbox.
    var mayBeRows = false
    /// Whether the object around it has facts about pages.
    var hasFacts: Bool
    /// Whether the object around it says how long it is.
    var isCounted: Bool
  }

  private enum Content { case objects, nothing, other }

  /// Returns the path of the rows of a response.
  static func find(in envelope: JSONView) -> FoundList {
    if envelope.kind == .array { return find(inArray: envelope) }
    guard envelope.kind == .object else { return .missing }
    var finder = ListFinder()
    finder.collect(from: envelope, at: [])
    return finder.choice
  }

  private static func find(inArray envelope: JSONView) -> FoundList {
    let whole = FoundList.found(.root, reason: "the whole response is an array")
    guard envelope.count <= 4 else { return whole }
    let elements = Array(envelope.elements)
    if elements.count == 1, elements[0].isEnvelope {
      var finder = ListFinder()
      finder.collect(from: elements[0], at: [.index(0)])
      return finder.choice
    }
    let arrays = elements.indices.filter { elements[$0].kind == .array }
    guard elements.count > 1, arrays.count == 1,
      elements.allSatisfy({ $0.kind == .array || $0.kind == .object && $0.hasPageFacts })
    else { return whole }
    return .found(JSONPath([.index(arrays[0])]), reason: "it is the only array in the response")
  }

  /// Collects the arrays level by level, so that outer ones come first.
  private mutating func collect(from envelope: JSONView, at path: [JSONPath.Segment]) {
    var level: [(view: JSONView, path: [JSONPath.Segment], isWrapper: Bool)] = [
      (envelope, path, true)
    ]
    for _ in 0..<Self.deepest {
      var inner: [(JSONView, [JSONPath.Segment], Bool)] = []
      for (object, path, isWrapper) in level {
        for member in object.members {
          budget -= 1
          guard budget > 0 else { return }
          let value = member.value
          switch value.kind {
          case .array:
            if value.count == 1, let only = value[0], only.isEnvelope {
              inner.append((only, path + [.name(member.name), .index(0)], isWrapper))
            } else {
              add(value, member.name, path, isWrapper, in: object)
            }
          case .object:
            inner.append(
              (
                value, path + [.name(member.name)],
                isWrapper && ListNames.wrappers.contains(member.name)
              ))
          default: break
          }
        }
      }
      level = inner
    }
  }

  private mutating func add(
    _ array: JSONView, _ name: String, _ path: [JSONPath.Segment], _ isWrapper: Bool,
    in object: JSONView
  ) {
    // A connection with nodes need not be read edge by edge.
    if name == "edges", object["nodes"]?.kind == .array { return }
    let sample = array.elements.prefix(8)
    let content: Content =
      array.count == 0 ? .nothing : sample.contains { $0.kind == .object } ? .objects : .other
    let isConnection = ["edges", "nodes"].contains(name) && object["pageInfo"]?.kind == .object
    arrays.append(
      Candidate(
        path: path + [.name(name)], content: content, count: array.count,
        isWellKnown: isConnection || isWrapper && ListNames.lists.contains(name),
        isAside: ListNames.asides.contains(name),
        mayBeRows: content == .objects && ListNames.seldomRows.contains(name)
          && RowIDFinder.path(in: Array(sample)) != nil,
        hasFacts: object.hasPageFacts,
        isCounted: array.count > 0
          && object.members.prefix(50).contains { $0.value.wholeNumber == array.count }))
  }

  private var choice: FoundList {
    let known = nearest(arrays.filter(\.isWellKnown))
    if let choice = single(known, "lists usually have this name") { return choice }
    let others = arrays.filter { !$0.isAside && !$0.isWellKnown }
    let objects = others.filter { $0.content == .objects }
    let outer = nearest(objects)
    if let choice = further(in: objects, than: outer) { return choice }
    if let choice = single(outer, "it is the only array of objects") { return choice }
    let plain = others.filter { $0.content != .objects }
    let counted = plain.filter { $0.content == .other && $0.isCounted }
    let rest = counted.isEmpty ? plain : counted
    if let choice = single(rest, "it is the only array") { return choice }
    // `messages` of a mailbox, where nothing else is there.
    if let choice = single(arrays.filter(\.mayBeRows), "it is the only array of objects with ids") {
      return choice
    }
    return .missing
  }

  /// Returns the one array further in that has facts about pages beside it, where none of the outer ones has, and each
  /// is much shorter.
  private func further(in objects: [Candidate], than outer: [Candidate]) -> FoundList? {
    let inner = objects.filter { object in
      object.hasFacts
        && outer.allSatisfy { object.path.count > $0.path.count && object.count > 2 * $0.count }
    }
    guard !outer.contains(where: \.hasFacts), !outer.isEmpty, inner.count == 1 else { return nil }
    return .found(JSONPath(inner[0].path), reason: "it has facts about pages beside it")
  }

  private func nearest(_ candidates: [Candidate]) -> [Candidate] {
    let depth = candidates.lazy.map(\.path.count).min()
    return candidates.filter { $0.path.count == depth }
  }

  private func single(_ candidates: [Candidate], _ reason: String) -> FoundList? {
    // An array of plain values is hardly ever the rows when there are arrays of objects too.
    let likely = candidates.filter { $0.content != .other }
    let candidates = likely.isEmpty ? candidates : likely
    guard let first = candidates.first else { return nil }
    if candidates.count == 1 { return .found(JSONPath(first.path), reason: reason) }
    let byLength = candidates.sorted { $0.count > $1.count }
    if !first.isWellKnown, byLength[0].count >= 2 * max(byLength[1].count, 1) {
      return .found(JSONPath(byLength[0].path), reason: "it is by far the longest array")
    }
    return .ambiguous(
      byLength.prefix(FoundList.named).map { JSONPath($0.path) }, count: candidates.count)
  }
}

extension JSONView {
  /// Whether an object has a list and facts about its place, and no id of its own.
  fileprivate var isEnvelope: Bool {
    guard kind == .object, hasPageFacts, RowIDFinder.path(in: [self]) == nil else { return false }
    return members.prefix(50).contains {
      $0.value.kind == .array && ListNames.lists.contains($0.name)
    }
  }

  /// Whether an object has members that are named like facts about pages.
  fileprivate var hasPageFacts: Bool {
    members.prefix(50).contains { member in
      guard member.value.kind != .array else { return false }
      let words = NameWords(member.name)
      return words.hasAny(of: ["next", "total", "page", "more", "offset", "cursor"])
    }
  }
}

/// The result of searching a response for its rows.
enum FoundList: Hashable, Sendable {
  /// The rows are here, for this reason.
  case found(JSONPath, reason: String)
  /// One of these is the rows, the longest first; `count` is the number of all candidates.
  case ambiguous([JSONPath], count: Int)
  /// There is no array.
  case missing

  /// The number of arrays to name where there are several.
  static let named = 5

  /// The path of the rows; throws why no list was found.
  func path() throws(PagingError) -> JSONPath {
    switch self {
    case .found(let path, _): return path
    case .missing:
      throw .listNotFound("the response has no array", hint: "check the address")
    case .ambiguous(let paths, let count):
      throw .listNotFound(
        "the response has \(count) arrays that could be the list: "
          + paths.map { "“\($0.plainText)”" }.joined(separator: ", ")
          + (count > paths.count ? " and \(count - paths.count) more" : ""),
        hint: paths.first.map { #"choose one, as in items: \#($0.declared)"# } ?? "")
    }
  }
}

/// The names servers use for lists and for the objects around them.
enum ListNames {
  /// Names of the array of rows.
  static let lists: Set<String> = [
    "data", "items", "results", "list", "records", "rows", "content", "value", "values", "entries",
    "entry", "hits", "docs", "documents", "objects", "elements", "edges", "nodes", "children",
    "result", "collection", "resources", "Resources", "Items", "Results", "Data",
  ]

  /// Names of objects that wrap a list.
  static let wrappers: Set<String> = [
    "data", "result", "results", "response", "d", "payload", "body", "_embedded", "hits", "query",
    "feed", "page", "list", "content", "collection", "Data", "Result", "Response",
  ]

  /// Names of arrays beside the rows, which are never the rows.
  static let asides: Set<String> = [
    "errors", "warnings", "messages", "details", "links", "link", "_links", "included", "includes",
    "facets", "aggregations", "filters", "sort", "columns", "fields", "headers", "schema",
    "schemas", "extensions", "stages", "suggestions", "sortings",
  ]

  /// Those that are the rows where no other array is there.
  static let seldomRows: Set<String> = [
    "messages", "links", "included", "facets", "filters", "columns", "fields", "schemas",
    "extensions", "stages",
  ]
}
