/// Names of parameters that go with the one that sets the page size: `pageNumber` with `pageSize`, `$skip` with `$top`.
enum TwinNames {
  /// Words that a page size has in its name.
  static let sizeWords: Set<String> = [
    "size", "limit", "count", "rows", "max", "hits", "per", "take", "top", "num", "pagesize",
    "perpage",
  ]

  /// Whether a name says that it is the size of a page.
  static func isPageSize(_ name: String) -> Bool {
    let words = NameWords(name)
    return words.hasAny(of: ["page", "pagesize", "perpage"])
  }

  /// Names for a page number, the likeliest first.
  static func pages(for size: String) -> [String] {
    if let (outer, inner) = brackets(of: size) {
      return outer == "page"
        ? ["page[number]"] : ["\(outer)[page]", "\(outer)[currentPage]"].reordered(inner)
    }
    let mark = mark(of: size)
    let style = NameStyle(of: size) ?? .camel
    func spell(_ names: [String]) -> [String] {
      names.map { mark + style.spell(NameWords(words: $0.split(separator: " ").map(String.init))) }
    }
    if isPageSize(size) {
      return spell(["page", "page number", "page num"])
    }
    return spell(["page"])
  }

  /// Names for a number of rows, the likeliest first.
  static func offsets(for size: String) -> [String] {
    if let (outer, _) = brackets(of: size) { return ["\(outer)[offset]"] }
    let mark = mark(of: size)
    let words = NameWords(size).words
    guard let last = words.last else { return [] }
    let style = NameStyle(of: size) ?? .camel
    let tails: [String] =
      switch last {
      case "limit": ["offset", "skip", "start"]
      case "rows": ["start", "offset"]
      case "size": words.count == 1 ? ["from", "offset", "start"] : ["offset"]
      case "max": ["first", "offset", "start"]
      case "top", "take": ["skip", "offset"]
      case "count": ["offset", "start index", "start", "skip"]
      case "results": ["start index", "start at", "start", "offset"]
      case "page": ["start index", "offset"]
      case "hits", "num": ["offset", "start"]
      default: ["offset"]
      }
    let kept = words.dropLast().filter {
      !["max", "record", "records", "items", "per", "page", "num"].contains($0)
    }
    return tails.map { tail in
      let name = NameWords(words: kept + tail.split(separator: " ").map(String.init))
      return mark + style.spell(name)
    }
  }

  /// `page` and `size` of `page[size]`.
  private static func brackets(of name: String) -> (outer: String, inner: String)? {
    guard name.hasSuffix("]"), let open = name.firstIndex(of: "[") else { return nil }
    return (String(name[..<open]), String(name[name.index(after: open)...].dropLast()))
  }

  /// What a name begins with that is no letter: `$` of `$top`.
  private static func mark(of name: String) -> String { String(name.prefix { !$0.isLetter }) }
}

extension [String] {
  /// The names with the one first that is spelled like another inside of brackets: `currentPage` like `pageSize`.
  fileprivate func reordered(_ inner: String) -> [String] {
    NameStyle(of: inner) == .camel ? self : [self[0]]
  }

  /// The names without repetitions.
  var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
