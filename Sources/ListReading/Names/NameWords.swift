internal import Support

/// The words of a name, in lower case: `nextPageToken`, `next-page-token` and `NEXT_PAGE_TOKEN` have the same.
///
/// Servers spell one idea in many ways. Comparing words finds the idea with one name instead of a list of spellings.
struct NameWords: Hashable, Sendable {
  let words: [String]

  init(words: [String]) { self.words = words }

  init(_ name: some StringProtocol) { self = KnownNames.words(of: String(name)) }

  init(splitting name: String) {
    var words: [String] = []
    var word = ""
    var last: Letter?
    let letters = name.unicodeScalars.prefix(Self.longest).map { Letter($0) }
    for (index, letter) in letters.enumerated() {
      defer { last = letter }
      guard letter.isPart else {
        words.append(word)
        word = ""
        continue
      }
      // A new word starts at `P` in `nextPage`, and at `L` in `nextURLList`.
      let nextIsLower = index + 1 < letters.count && letters[index + 1].isLower
      if letter.isUpper, let last, !last.isUpper || nextIsLower, last.isAlphabetic {
        words.append(word)
        word = ""
      }
      letter.appendLowercase(to: &word)
    }
    words.append(word)
    self.words = words.filter { !$0.isEmpty }.flatMap(Self.split)
  }

  /// What matters of a character. Unicode is only asked about those beyond ASCII, as that takes long.
  struct Letter {
    let scalar: Unicode.Scalar
    let isAlphabetic, isUpper, isLower: Bool
    /// Whether it is a part of a word, and no separator.
    let isPart: Bool

    init(_ scalar: Unicode.Scalar) {
      self.scalar = scalar
      if scalar.isASCII {
        isUpper = ("A"..."Z").contains(scalar)
        isLower = ("a"..."z").contains(scalar)
        isAlphabetic = isUpper || isLower
        isPart = isAlphabetic || ("0"..."9").contains(scalar)
      } else {
        let properties = scalar.properties
        isUpper = properties.isUppercase
        isLower = properties.isLowercase
        isAlphabetic = properties.isAlphabetic
        isPart = isAlphabetic || properties.numericType != nil
      }
    }

    func appendLowercase(to word: inout String) {
      if scalar.isASCII {
        word.unicodeScalars.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
      } else {
        word += scalar.properties.lowercaseMapping
      }
    }
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
  private static let words = Lock<[Spelling: NameWords]>([:])
  private static let ideas = Lock<[Spelling: [String]]>([:])

  /// A name, equal only to one of the same bytes: names of the same characters may have other words.
  private struct Spelling: Hashable {
    let name: String

    static func == (a: Spelling, b: Spelling) -> Bool { a.name.hasSameBytes(as: b.name) }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  static func words(of name: String) -> NameWords {
    value(of: name, in: words) { NameWords(splitting: name) }
  }

  /// Returns what the words of a name may say; see ``NameWords/ideas``.
  static func ideas(of name: String) -> [String] {
    value(of: name, in: ideas) { words(of: name).ideas }
  }

  private static func value<Value: Sendable>(
    of name: String, in known: borrowing Lock<[Spelling: Value]>, else find: () -> Value
  ) -> Value {
    let name = Spelling(name: name)
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
