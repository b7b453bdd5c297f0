/// A regular expression of RFC 9485. Matching takes time proportional to at most the length of the
/// unrolled pattern times the length of the text, whatever they contain: all alternatives are
/// followed at once, without backtracking. Each step is reported to the caller.
///
/// Outside of brackets `^` and `$` match the start and the end of the text, as in the engines that
/// the RFC maps to, although its grammar allows them as characters.
struct IRegexp: Sendable, Hashable {
  enum Instruction: Sendable, Hashable {
    case one(CharacterSet)
    case split(Int, Int)
    case jump(Int)
    /// Matches only at the start of the text.
    case start
    /// Matches only at the end of the text.
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

    /// Returns whether the set contains a character, and adds the steps this takes.
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
      // Looking up a category takes about as long as this many comparisons.
      steps += 15
      return GeneralCategory.name(of: scalar).hasPrefix(name)
    }
  }

  private let program: [Instruction]

  /// Compiles a pattern; `nil` if it is not a valid expression.
  init?(_ pattern: String) {
    var steps = 0
    self.init(pattern, steps: &steps)
  }

  /// Returns the steps it takes to parse a pattern of this many bytes, without unrolling.
  static func cost(ofReading bytes: Int) -> Int { 8 * bytes }

  /// Compiles a pattern, and adds the steps it took to unroll it.
  init?(_ pattern: String, steps: inout Int) {
    var compiler = Compiler(pattern)
    let program = compiler.compile()
    steps += compiler.steps
    guard let program else { return nil }
    self.program = program
  }

  /// Returns whether the expression matches the whole text or, with `isSearch`, any part of it.
  ///
  /// - Parameter spend: Receives the number of steps after each character. An error it throws ends
  ///   the match.
  func matches<E: Error>(
    _ text: UnsafeBufferPointer<UInt8>, isSearch: Bool, spend: (Int) throws(E) -> Void
  ) throws(E) -> Bool {
    try spend(program.count + text.count / 8)
    var ways = Ways(count: program.count)
    var following = Ways(count: program.count)
    var scalars = String(decoding: text, as: UTF8.self).unicodeScalars[...]
    follow(0, &ways, isStart: true, isEnd: scalars.isEmpty)
    while let scalar = scalars.popFirst() {
      if isSearch, ways.isAccepted { return true }
      following.removeAll()
      var steps = 1 + ways.places.count
      for place in ways.places {
        if case .one(let set) = program[place], set.contains(scalar, steps: &steps) {
          follow(place + 1, &following, isStart: false, isEnd: scalars.isEmpty)
        }
      }
      if isSearch { follow(0, &following, isStart: false, isEnd: scalars.isEmpty) }
      try spend(steps + following.places.count)
      swap(&ways, &following)
    }
    return ways.isAccepted
  }

  /// Adds a place and all places reachable from it without a character.
  private func follow(_ start: Int, _ ways: inout Ways, isStart: Bool, isEnd: Bool) {
    var open = [start]
    while let place = open.popLast() {
      guard ways.insert(place) else { continue }
      switch program[place] {
      case .one: break
      case .jump(let target): open.append(target)
      case .split(let first, let second): open += [second, first]
      case .start: if isStart { open.append(place + 1) }
      case .end: if isEnd { open.append(place + 1) }
      case .accept: ways.isAccepted = true
      }
    }
  }

  /// The places of the program that are active at the same time.
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
