internal import Support

/// The words of a name, in lower case: `nextPageToken`, `next-page-token` and `NEXT_PAGE_TOKEN` have the same.
///
/// Servers spell one idea in many ways. Comparing words finds the idea with one name instead of a list of spellings.
struct NameWords: Hashable, Sendable {
  let words: [String]

  init(words: [String]) { self.words = words }

  init(_ name: some StringProtocol) { self = KnownNames.words(of: String(name)) }

  fileprivate init(splitting name: String) {
    var words: [String] = []
    var word = ""
    var last: Unicode.Scalar?
    let scalars = Array(name.unicodeScalars.prefix(Self.longest))
    for (index, scalar) in scalars.enumerated() {
      defer { last = scalar }
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        words.append(word)
        word = ""
        continue
      }
      // A new word starts at `P` in `nextPage`, and at `L` in `nextURLList`.
      let isUpper = scalar.properties.isUppercase
      let nextIsLower = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
      if isUpper, let last, !last.properties.isUppercase || nextIsLower,
        last.properties.isAlphabetic
      {
        words.append(word)
        word = ""
      }
      word += scalar.properties.lowercaseMapping
    }
    words.append(word)
    self.words = words.filter { !$0.isEmpty }.flatMap(Self.split)
  }

  /// A longer name is no fact.
  private static let longest = 80
  private static let starts = ["next", "total"]
  private static let ends = ["token", "cursor", "marker", "offset"]

  /// Splits words that are written as one: `pagetoken`.
  private static func split(_ word: String) -> [String] {
    for start in starts where word.hasPrefix(start) && word != start {
      return [start, String(word.dropFirst(start.count))]
    }
    for end in ends where word.hasSuffix(end) && word != end {
      return [String(word.dropLast(end.count)), end]
    }
    return [word]
  }

  var text: String { words.joined(separator: " ") }

  func has(_ word: String) -> Bool { words.contains(word) }
  func hasAny(of others: Set<String>) -> Bool { words.contains(where: others.contains) }
  func without(_ word: String) -> NameWords { NameWords(words: words.filter { $0 != word }) }
}

/// Names that were taken apart. The pages of a list have the same names, so each is taken apart once.
enum KnownNames {
  /// Only names that servers choose freely, such as ids, are more.
  private static let most = 1_000
  private static let words = Lock<[String: NameWords]>([:])
  private static let ideas = Lock<[String: [String]]>([:])

  static func words(of name: String) -> NameWords {
    value(of: name, in: words) { NameWords(splitting: name) }
  }

  /// Returns what the words of a name may say; see ``NameWords/ideas``.
  static func ideas(of name: String) -> [String] {
    value(of: name, in: ideas) { words(of: name).ideas }
  }

  private static func value<Value: Sendable>(
    of name: String, in known: borrowing Lock<[String: Value]>, else find: () -> Value
  ) -> Value {
    if let value = known.withLock({ $0[name] }) { return value }
    let value = find()
    known.withLock { known in
      if known.count >= most { known = [:] }
      known[name] = value
    }
    return value
  }
}

/// How the words of a name are put together.
enum NameStyle: CaseIterable, Sendable {
  case camel, snake, pascal, kebab, flat

  /// The style of a name; `nil` where one word doesn't show it.
  init?(of name: String) {
    let name = name.drop { !$0.isLetter }
    if name.contains("_") {
      self = .snake
    } else if name.contains("-") {
      self = .kebab
    } else if name.first?.isUppercase == true {
      self = .pascal
    } else if name.contains(where: \.isUppercase) {
      self = .camel
    } else {
      return nil
    }
  }

  func spell(_ words: NameWords) -> String {
    let words = words.words
    func upper(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
    return switch self {
    case .camel: (words.prefix(1) + words.dropFirst().map(upper)).joined()
    case .pascal: words.map(upper).joined()
    case .snake: words.joined(separator: "_")
    case .kebab: words.joined(separator: "-")
    case .flat: words.joined()
    }
  }
}
