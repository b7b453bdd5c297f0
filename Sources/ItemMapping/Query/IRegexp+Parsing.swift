extension IRegexp {
  /// A compiler of the grammar of RFC 9485 into instructions. Counted repetition is unrolled, so
  /// the length of the program is limited.
  struct Compiler {
    private static let maximumLength = 10_000
    private static let maximumDepth = 100

    private let pattern: [Unicode.Scalar]
    private var at = 0
    private var depth = 0
    /// The steps taken so far. Parts that emit nothing can be repeated endlessly too.
    private(set) var steps = 0
    private(set) var program: [Instruction] = []

    init(_ pattern: String) { self.pattern = Array(pattern.unicodeScalars) }

    /// Returns the program, or `nil` if the pattern is not valid in RFC 9485.
    mutating func compile() -> [Instruction]? {
      guard let node = branches(), at == pattern.count, emit(node) else { return nil }
      program.append(.accept)
      return program
    }

    private indirect enum Node {
      case set(CharacterSet)
      case edge(Instruction)
      case sequence([Node])
      case choice([Node])
      case repeated(Node, from: Int, to: Int?)
    }

    private var peek: Unicode.Scalar? { at < pattern.count ? pattern[at] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard peek == scalar else { return false }
      at += 1
      return true
    }

    private mutating func branches() -> Node? {
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.maximumDepth else { return nil }
      var choices: [Node] = []
      repeat {
        var pieces: [Node] = []
        while let scalar = peek, scalar != "|", scalar != ")" {
          guard let atom = atom(), let piece = quantified(atom) else { return nil }
          pieces.append(piece)
        }
        choices.append(.sequence(pieces))
      } while take("|")
      return choices.count == 1 ? choices.first : .choice(choices)
    }

    private mutating func atom() -> Node? {
      guard let scalar = peek else { return nil }
      at += 1
      switch scalar {
      case "(":
        guard let inner = branches(), take(")") else { return nil }
        return inner
      case ".": return .set(CharacterSet(isNegated: true, items: [.one("\n"), .one("\r")]))
      case "[": return bracket().map { .set($0) }
      case "\\": return escape().map { .set(CharacterSet(items: [$0])) }
      case "^": return .edge(.start)
      case "$": return .edge(.end)
      case ")", "*", "+", "?", "]", "{", "|", "}": return nil
      default: return .set(CharacterSet(items: [.one(scalar)]))
      }
    }

    private mutating func quantified(_ atom: Node) -> Node? {
      if take("*") { return .repeated(atom, from: 0, to: nil) }
      if take("+") { return .repeated(atom, from: 1, to: nil) }
      if take("?") { return .repeated(atom, from: 0, to: 1) }
      guard take("{") else { return atom }
      guard let least = number() else { return nil }
      var most: Int? = least
      if take(",") {
        most = nil
        if peek != "}" {
          guard let number = number(), number >= least else { return nil }
          most = number
        }
      }
      return take("}") ? .repeated(atom, from: least, to: most) : nil
    }

    private mutating func number() -> Int? {
      let start = at
      while let scalar = peek, ("0"..."9").contains(scalar) { at += 1 }
      var digits = String.UnicodeScalarView()
      digits.append(contentsOf: pattern[start..<at])
      return Int(String(digits)).flatMap { $0 <= Self.maximumLength ? $0 : nil }
    }
  }
}

extension IRegexp.Compiler {
  /// Reads the text after a backslash.
  private mutating func escape() -> IRegexp.CharacterSet.Item? {
    guard let scalar = peek else { return nil }
    at += 1
    switch scalar {
    case "n": return .one("\n")
    case "r": return .one("\r")
    case "t": return .one("\t")
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}":
      return .one(scalar)
    case "p", "P":
      guard take("{") else { return nil }
      var name = ""
      while let letter = peek, letter != "}" {
        name.unicodeScalars.append(letter)
        at += 1
      }
      guard take("}"), GeneralCategory.names.contains(name) else { return nil }
      return .category(name, isNegated: scalar == "P")
    default: return nil
    }
  }

  /// Reads the text after an opening bracket.
  private mutating func bracket() -> IRegexp.CharacterSet? {
    var set = IRegexp.CharacterSet(isNegated: take("^"), items: [])
    if take("-") { set.items.append(.one("-")) }
    while let scalar = peek, scalar != "]" {
      if scalar == "-" {
        // A hyphen is literal only at either end.
        at += 1
        guard peek == "]" else { return nil }
        set.items.append(.one("-"))
        break
      }
      guard let item = member() else { return nil }
      set.items.append(item)
    }
    return take("]") && !set.items.isEmpty ? set : nil
  }

  private mutating func member() -> IRegexp.CharacterSet.Item? {
    guard let first = single() else { return nil }
    guard case .one(let low) = first, peek == "-", at + 1 < pattern.count, pattern[at + 1] != "]"
    else { return first }
    at += 1
    guard case .one(let high) = single(), low <= high else { return nil }
    return .range(low...high)
  }

  private mutating func single() -> IRegexp.CharacterSet.Item? {
    guard let scalar = peek, scalar != "[", scalar != "]", scalar != "-" else { return nil }
    at += 1
    return scalar == "\\" ? escape() : .one(scalar)
  }

  /// Emits the instructions of a node. Returns false if there would be too many.
  private mutating func emit(_ node: Node) -> Bool {
    steps += 1
    guard program.count < Self.maximumLength, steps < 10 * Self.maximumLength else { return false }
    switch node {
    case .set(let set): program.append(.one(set))
    case .edge(let instruction): program.append(instruction)
    case .sequence(let nodes): return nodes.allSatisfy { emit($0) }
    case .choice(let nodes):
      var jumps: [Int] = []
      for node in nodes.dropLast() {
        let split = reserve()
        guard emit(node) else { return false }
        jumps.append(reserve())
        program[split] = .split(split + 1, program.count)
      }
      guard let last = nodes.last, emit(last) else { return false }
      for jump in jumps { program[jump] = .jump(program.count) }
    case .repeated(let node, let least, let most):
      return emit(node, from: least, to: most)
    }
    return true
  }

  private mutating func emit(_ node: Node, from least: Int, to most: Int?) -> Bool {
    for _ in 0..<least where !emit(node) { return false }
    guard let most else {
      let split = reserve()
      guard emit(node) else { return false }
      program.append(.jump(split))
      program[split] = .split(split + 1, program.count)
      return true
    }
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(reserve())
      guard emit(node) else { return false }
    }
    for split in splits { program[split] = .split(split + 1, program.count) }
    return true
  }

  private mutating func reserve() -> Int {
    program.append(.accept)
    return program.count - 1
  }
}

/// The general categories of Unicode by their short names.
enum GeneralCategory {
  /// All names that a pattern may use: a category such as `Lu`, or a group such as `L`.
  static let names: Set<String> = [
    "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Z", "Zl", "Zp", "Zs", "S", "Sc", "Sk", "Sm", "So", "C",
    "Cc", "Cf", "Cn", "Co",
  ]

  static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}
