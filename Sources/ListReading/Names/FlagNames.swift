/// What `true` says under the name of a flag.
enum PagingFlag: Hashable, Sendable {
  /// There is a next page.
  case more
  /// This is the last page.
  case last

  var negated: PagingFlag { self == .more ? .last : .more }
}

extension NameWords {
  /// What `true` says under this name; `nil` where it is not the name of a flag about pages.
  ///
  /// Each word of the name has to be known: `has_more`, `noMoreItems`, `is-not-last`, but not `more_details` or
  /// `last_update`. A word before the one with the meaning may negate it.
  ///
  /// - Parameter own: The words for the rows of the list: `message` for `has_more_messages`.
  func flag(own: Set<String> = []) -> PagingFlag? {
    guard (1...8).contains(words.count) else { return nil }
    var parser = FlagParser()
    for word in words {
      guard parser.add(word, isOwn: own.contains(NameWords.singular(word))) else { return nil }
    }
    return parser.flag
  }

  /// What the name says of pages only because one of its words names the rows, in the words of ``FactNames``.
  func ideaOfFlag(own: Set<String>) -> String? {
    guard words.contains(where: { own.contains(NameWords.singular($0)) }), flag() == nil,
      let flag = flag(own: own)
    else { return nil }
    return (flag == .more ? FactNames.hasMore : FactNames.isLast).first
  }

  /// Whether the name is that of a flag even where its value is a number: more than a bare `last` or `end`.
  var isClearFlag: Bool {
    words.count > 1 && !words.hasOnlyNouns
      || [["more"], ["truncated"], ["done"]].contains(words)
  }

  /// The singular of a word, as far as a final `s` shows it.
  static func singular(_ word: String) -> String {
    word.count > 3 && word.last == "s" ? String(word.dropLast()) : word
  }
}

/// Names of members that say with one of their values that the server has left rows out. The other value says nothing: a
/// search that wasn't stopped may have more pages.
enum OmissionNames {
  private static let values: [String: Bool] = [
    // ArcGIS
    "exceeded transfer limit": true,
    // services with a limit of results
    "limit reached": true, "limit exceeded": true, "max results exceeded": true,
    "max results reached": true,
    // Elasticsearch
    "terminated early": true,
    // services made for screens
    "can load more": true, "load more": true, "show more": true,
    // Jira
    "is complete": false, "is incomplete": true, "complete": false,
  ]
  private static let starts = Set(values.keys.compactMap { $0.split(separator: " ").first })

  /// The value that says so under a name; `nil` where none does.
  static func value(of name: NameWords) -> Bool? {
    guard name.words.count > 1 || name.words == ["complete"], let first = name.words.first,
      starts.contains(first[...])
    else { return nil }
    return values[name.text]
  }
}

extension [String] {
  /// Whether no word but `last`, `end` and nouns is there: `last_page` may be a number.
  fileprivate var hasOnlyNouns: Bool {
    allSatisfy { FlagWords.nouns.contains($0) || $0 == "last" || $0 == "end" || $0 == "of" }
  }
}

/// The words of flags about pages.
private enum FlagWords {
  static let negations: Set<String> = [
    "no", "not", "non", "without", "nothing", "none", "never", "isnt", "isn", "hasnt", "hasn",
    "havent", "haven", "arent", "aren", "doesnt", "doesn", "lacks", "lacking",
  ]
  /// The negations that say of a thing that it doesn't exist.
  static let absences: Set<String> = ["no", "nothing", "without", "none", "lacks", "lacking"]
  static let more: Set<String> = ["more", "further", "truncated"]
  /// Words that say that there is more only after `has` or the like: `next` alone is the next page itself.
  static let moreIfThere: Set<String> = [
    "next", "additional", "remaining", "left", "following", "another", "subsequent",
    "older", "newer",
  ]
  static let existence: Set<String> = [
    "has", "have", "had", "there", "exists", "exist", "available", "hasnt", "hasn", "havent",
    "haven",
  ]
  static let states: Set<String> = ["ended", "finished", "done", "exhausted", "loaded"]
  static let last: Set<String> = states.union(["last", "final", "end", "eof"])
  static let fillers: Set<String> = existence.union([
    "is", "are", "was", "were", "be", "been", "does", "do", "did", "it", "this", "the", "any",
    "all",
    "of", "at", "in", "already", "yet", "still", "reached", "t", "flag", "indicator", "coming",
  ])
  static let nouns: Set<String> = [
    "page", "pages", "result", "results", "item", "items", "row", "rows", "record", "records",
    "entry", "entries", "element", "elements", "object", "objects", "document", "documents", "docs",
    "hit", "hits", "match", "matches", "batch", "batches", "slice", "slices", "chunk", "chunks",
    "data", "list", "listing", "set", "query", "search", "scan", "feed", "collection", "response",
    "stream", "paging", "pagination", "thing", "things", "anything", "one", "ones",
  ]
  /// The nouns that `last` is said of: `last_search` is the search before.
  static let lastNouns: Set<String> = [
    "page", "pages", "result", "results", "item", "items", "row", "rows", "record", "records",
    "entry", "entries", "element", "batch", "slice", "chunk", "set", "one",
  ]
  static let all = negations.union(more).union(moreIfThere).union(last).union(fillers).union(nouns)
  /// The words that another one may be written together from.
  static let parts = all.filter { $0.utf8.count > 1 }.union(fused)
  /// Words that are negated by how they begin.
  static let fused: Set<String> = ["unfinished", "unended", "untruncated", "unexhausted"]
}

/// Reads the words of a flag, one after the other.
private struct FlagParser {
  private var meaning: PagingFlag?
  private var isNegated = false
  private var isAbsent = false
  private var saysExistence = false
  private var needsExistence = false
  private var isState = false
  private var isReached = false
  private var isLast = false
  private var hasOtherNoun = false
  private var before: String?

  /// What the words say; `nil` if nothing.
  var flag: PagingFlag? {
    guard let meaning, before != "at" else { return nil }
    switch meaning {
    case .more:
      if needsExistence, !saysExistence, !isAbsent { return nil }
    case .last:
      // `has_end` says that the list has one, and nothing of this page.
      if saysExistence || isAbsent, !isState, !isReached { return nil }
      if isLast, hasOtherNoun { return nil }
    }
    return isNegated ? meaning.negated : meaning
  }

  /// Adds a word; returns whether it is known.
  mutating func add(_ word: String, isOwn: Bool) -> Bool {
    if isOwn, !FlagWords.all.contains(word) { return true }
    if FlagWords.all.contains(word) { return addKnown(word) }
    guard let parts = Self.parts(of: word) else { return false }
    return parts.allSatisfy { part in
      FlagWords.fused.contains(part)
        ? addKnown("not") && addKnown(String(part.dropFirst(2))) : addKnown(part)
    }
  }

  private mutating func addKnown(_ word: String) -> Bool {
    defer { before = word }
    // `no_of_pages` is a number.
    if word == "of", before == "no" { return false }
    // `at_end`, but neither `more_at` nor `at_last`.
    if before == "at", word != "end", word != "the" { return false }
    if FlagWords.existence.contains(word) { saysExistence = true }
    if word == "reached" { isReached = true }
    if FlagWords.negations.contains(word) {
      // `last_page_no` is a number too.
      guard meaning == nil else { return false }
      isNegated.toggle()
      if FlagWords.absences.contains(word) { isAbsent = true }
    } else if FlagWords.more.contains(word) || FlagWords.moreIfThere.contains(word) {
      guard meaning != .last else { return false }
      needsExistence = (meaning == nil || needsExistence) && FlagWords.moreIfThere.contains(word)
      meaning = .more
    } else if FlagWords.last.contains(word) {
      guard meaning != .more else { return false }
      meaning = .last
      isState = isState || FlagWords.states.contains(word)
      isLast = isLast || word == "last"
    } else if FlagWords.nouns.contains(word), !FlagWords.lastNouns.contains(word) {
      hasOtherNoun = true
    }
    return true
  }

  /// Splits a word that others are written together in: `nomore`.
  private static func parts(of word: String) -> [String]? {
    let letters = Array(word.utf8)
    guard letters.count <= 40 else { return nil }
    // The words that reach each position, the fewest.
    var found = [[String]?](repeating: nil, count: letters.count + 1)
    found[0] = []
    for start in letters.indices {
      guard let parts = found[start] else { continue }
      for end in (start + 1)...letters.count where end - start <= 11 {
        let part = String(decoding: letters[start..<end], as: UTF8.self)
        guard FlagWords.parts.contains(part), parts.count + 1 < found[end]?.count ?? .max else {
          continue
        }
        found[end] = parts + [part]
      }
    }
    return found[letters.count]
  }
}
