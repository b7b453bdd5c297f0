/// A regular expression of RFC 9485. Matching takes time in proportion to the length of the pattern,
/// written out, times the length of the text at most, whatever either of them holds: all ways through
/// the pattern are followed at once, none is tried again. Each step is reported to the caller.
///
/// Outside of brackets `^` and `$` stand for the beginning and the end of the text, as in the engines
/// that the RFC's mappings are for, although its grammar would let them pass as characters.
struct IRegexp: Sendable, Hashable {
  enum Instruction: Sendable, Hashable {
    case one(CharacterSet)
    case split(Int, Int)
    case jump(Int)
    /// Goes on at the beginning of the text only.
    case beginning
    /// Goes on at the end of the text only.
    case end
    case accept
  }

  /// A set of characters.
  struct CharacterSet: Sendable, Hashable {
    enum Item: Sendable, Hashable {
      case one(Unicode.Scalar)
      case range(ClosedRange<Unicode.Scalar>)
      case category(String, isNegated: Bool)
    }

    var isNegated = false
    var items: [Item]

    /// Adds how many steps it takes to find out.
    func contains(_ scalar: Unicode.Scalar, steps: inout Int) -> Bool {
      for item in items {
        steps += 1
        let isListed =
          switch item {
          case .one(let other): scalar == other
          case .range(let range): range.contains(scalar)
          case .category(let name, let isNegated):
            Self.isOf(name, scalar, steps: &steps) != isNegated
          }
        if isListed { return !isNegated }
      }
      return isNegated
    }

    private static func isOf(_ name: String, _ scalar: Unicode.Scalar, steps: inout Int) -> Bool {
      // Looking a category up takes about as long as comparing so many characters.
      steps += 15
      return GeneralCategory.name(of: scalar).hasPrefix(name)
    }
  }

  private let program: [Instruction]

  /// The expression, or `nil` where the text is none.
  init?(_ pattern: String) {
    var steps = 0
    self.init(pattern, steps: &steps)
  }

  /// How many steps it takes to read a pattern of so many bytes; what it is written out to comes on
  /// top.
  static func cost(ofReading bytes: Int) -> Int { 8 * bytes }

  /// The same, which adds how many steps it took to write it out.
  init?(_ pattern: String, steps: inout Int) {
    var compiler = Compiler(pattern)
    let program = compiler.compile()
    steps += compiler.steps
    guard let program else { return nil }
    self.program = program
  }

  /// Whether the whole text, or with `isSearch` any part of it, is matched.
  ///
  /// - Parameter spend: Takes the steps of each character when they were taken. What it throws ends the
  ///   match.
  func matches<E: Error>(
    _ text: UnsafeBufferPointer<UInt8>, isSearch: Bool, spend: (Int) throws(E) -> Void
  ) throws(E) -> Bool {
    try spend(program.count + text.count / 8)
    var ways = Ways(count: program.count)
    var following = Ways(count: program.count)
    var scalars = String(decoding: text, as: UTF8.self).unicodeScalars[...]
    follow(0, &ways, isBeginning: true, isEnd: scalars.isEmpty)
    while let scalar = scalars.popFirst() {
      if isSearch, ways.isAccepted { return true }
      following.removeAll()
      var steps = 1 + ways.places.count
      for place in ways.places {
        if case .one(let set) = program[place], set.contains(scalar, steps: &steps) {
          follow(place + 1, &following, isBeginning: false, isEnd: scalars.isEmpty)
        }
      }
      if isSearch { follow(0, &following, isBeginning: false, isEnd: scalars.isEmpty) }
      try spend(steps + following.places.count)
      swap(&ways, &following)
    }
    return ways.isAccepted
  }

  /// Adds a place and all that can be reached from it without a character.
  private func follow(_ start: Int, _ ways: inout Ways, isBeginning: Bool, isEnd: Bool) {
    var open = [start]
    while let place = open.popLast() {
      guard ways.insert(place) else { continue }
      switch program[place] {
      case .one: break
      case .jump(let target): open.append(target)
      case .split(let first, let second): open += [second, first]
      case .beginning: if isBeginning { open.append(place + 1) }
      case .end: if isEnd { open.append(place + 1) }
      case .accept: ways.isAccepted = true
      }
    }
  }

  /// The places of the program that are reached at one time.
  private struct Ways {
    private(set) var places: [Int] = []
    private var isReached: [Bool]
    var isAccepted = false

    init(count: Int) { isReached = Array(repeating: false, count: count) }

    mutating func insert(_ place: Int) -> Bool {
      if isReached[place] { return false }
      isReached[place] = true
      places.append(place)
      return true
    }

    mutating func removeAll() {
      for place in places { isReached[place] = false }
      places.removeAll(keepingCapacity: true)
      isAccepted = false
    }
  }
}
