/// A regular expression of RFC 9485. Matching takes time in proportion to the length of the pattern
/// times the length of the text, whatever either of them holds: all ways through the pattern are
/// followed at once, none is tried again.
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

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      let isListed = items.contains { item in
        switch item {
        case .one(let other): scalar == other
        case .range(let range): range.contains(scalar)
        case .category(let name, let isNegated):
          GeneralCategory.name(of: scalar).hasPrefix(name) != isNegated
        }
      }
      return isListed != isNegated
    }
  }

  private let program: [Instruction]

  /// The expression, or `nil` where the text is none.
  init?(_ pattern: String) {
    var steps = 0
    self.init(pattern, steps: &steps)
  }

  /// The same, which adds how many steps it took to find out.
  init?(_ pattern: String, steps: inout Int) {
    var compiler = Compiler(pattern)
    let program = compiler.compile()
    steps += compiler.steps
    guard let program else { return nil }
    self.program = program
  }

  /// How much work one character of a text can be.
  var cost: Int { program.count }

  /// Whether the whole text, or with `isSearch` any part of it, is matched.
  func matches(_ text: UnsafeBufferPointer<UInt8>, isSearch: Bool) -> Bool {
    var ways = Ways(count: program.count)
    var following = Ways(count: program.count)
    var scalars = String(decoding: text, as: UTF8.self).unicodeScalars[...]
    follow(0, &ways, isBeginning: true, isEnd: scalars.isEmpty)
    while let scalar = scalars.popFirst() {
      if isSearch, ways.isAccepted { return true }
      following.removeAll()
      for place in ways.places {
        if case .one(let set) = program[place], set.contains(scalar) {
          follow(place + 1, &following, isBeginning: false, isEnd: scalars.isEmpty)
        }
      }
      if isSearch { follow(0, &following, isBeginning: false, isEnd: scalars.isEmpty) }
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
