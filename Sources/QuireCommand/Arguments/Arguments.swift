internal import Quire

/// A command line, parsed by the spec of its command.
struct Arguments: Hashable, Sendable {
  private(set) var operands: [String] = []
  private(set) var values: [String: [String]] = [:]
  /// Whether help is requested. Everything else is then ignored.
  private(set) var wantsHelp = false

  /// Parses `--name value`, `--name=value` and `--flag` in any order. Everything after `--` is an operand.
  init(_ words: some Sequence<String>, for command: CommandSpec) throws(UsageError) {
    let words = Array(words)
    wantsHelp = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    if wantsHelp { return }
    var rest = words[...]
    var isOptions = true
    while let word = rest.popFirst() {
      if isOptions, word == "--" {
        isOptions = false
      } else if isOptions, word.hasPrefix("--") {
        try parse(option: word, &rest, command)
      } else if isOptions, word.hasPrefix("-"), word.count > 1 {
        let name = String(word.dropFirst())
        throw UsageError(
          "unknown option \(word); options begin with two dashes"
            + (command.option(name) == nil ? "" : ", as in --\(name)"))
      } else {
        operands.append(word)
      }
    }
    try checkOperands(command)
  }

  private mutating func parse(
    option word: String, _ rest: inout ArraySlice<String>, _ command: CommandSpec
  ) throws(UsageError) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.option(name) else {
      let known = command.options.map(\.name)
      throw UsageError(
        "unknown option --\(name)" + Suggestion.hint(for: name, among: known, prefix: "--"))
    }
    guard let kind = option.value else {
      if parts.count > 1 { throw UsageError("--\(name) takes no value, found “\(parts[1])”") }
      values[name] = [""]
      return
    }
    let value: String
    if parts.count > 1 {
      value = String(parts[1])
    } else if let next = rest.first, !next.hasPrefix("--") {
      value = rest.removeFirst()
    } else {
      throw UsageError(
        "--\(name) needs a value: --\(name) \(kind)"
          + (rest.first.map { "; write a value that begins with dashes as --\(name)=\($0)" } ?? ""))
    }
    if !option.choices.isEmpty, !option.choices.contains(value) {
      throw UsageError(
        "--\(name) must be one of \(option.choices.joined(separator: ", ")), found “\(value)”"
          + Suggestion.hint(for: value, among: option.choices))
    }
    if !option.repeats, let other = values[name]?.first {
      throw UsageError(
        "--\(name) was given twice"
          + (option.isSecret ? "" : ": “\(other)” and “\(value)”"))
    }
    values[name, default: []].append(value)
  }

  private func checkOperands(_ command: CommandSpec) throws(UsageError) {
    for (index, operand) in command.operands.enumerated() {
      guard index < operands.count else {
        if operand.isOptional { continue }
        throw UsageError("\(operand.name) is missing: quire \(command.name) \(operand.name)")
      }
      if !operand.choices.isEmpty, !operand.choices.contains(operands[index]) {
        throw UsageError(
          "\(operand.name) must be one of \(operand.choices.joined(separator: ", ")),"
            + " found “\(operands[index])”"
            + Suggestion.hint(for: operands[index], among: operand.choices))
      }
    }
    if operands.count > command.operands.count {
      throw UsageError(
        "unexpected argument “\(Redaction().text(operands[command.operands.count]))”;"
          + " quote addresses that contain & or ?")
    }
  }
}

extension Arguments {
  func has(_ name: String) -> Bool { values[name] != nil }

  subscript(name: String) -> String? { values[name]?.first }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns the value of an option as a whole number; `nil` if it was not given.
  func number(_ name: String, atLeast least: Int = 0) throws(UsageError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), number >= least else {
      throw UsageError("--\(name) must be a whole number of at least \(least), found “\(text)”")
    }
    return number
  }

  /// Returns the value of an option in seconds; `nil` if it was not given.
  func seconds(_ name: String) throws(UsageError) -> Duration? {
    guard let text = self[name] else { return nil }
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
    let unit = text.last.flatMap { units[$0] }
    guard let count = Double(unit == nil ? text[...] : text.dropLast()), count > 0, count * (unit ?? 1) < 1e9 else {
      throw UsageError("--\(name) must be a number of seconds above 0, or a time such as 15m or 2h, found “\(text)”")
    }
    return .seconds(count * (unit ?? 1))
  }

  /// Returns the value of an option in bytes; `nil` if it was not given.
  func bytes(_ name: String) throws(UsageError) -> Int? {
    guard let text = self[name] else { return nil }
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    guard let number = Int(unit == nil ? text[...] : text.dropLast()), number > 0, number < 1 << 30
    else {
      throw UsageError("--\(name) must be a size such as 64M or 1G, found “\(text)”")
    }
    return number * (unit ?? 1)
  }

  /// Refuses one option together with any of the others.
  func forbid(_ name: String, with others: String..., because reason: String) throws(UsageError) {
    guard has(name) else { return }
    for other in others where has(other) {
      throw UsageError("--\(name) and --\(other) can't be used together: \(reason)")
    }
  }

  /// Refuses an option without the one it depends on.
  func require(_ other: String, for name: String) throws(UsageError) {
    if has(name), !has(other) { throw UsageError("--\(name) needs --\(other)") }
  }
}

/// A mistake in the arguments: what failed, the cause, and what to do.
struct UsageError: Error, Hashable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Suggestions for misspelled words.
enum Suggestion {
  /// Returns "; did you mean --items?", or an empty text if no word is similar.
  static func hint(for word: String, among words: [String], prefix: String = "") -> String {
    guard let near = nearest(to: word, among: words) else { return "" }
    return "; did you mean \(prefix)\(near)?"
  }

  /// Returns the word with the smallest edit distance if that is small, else the only one with this prefix.
  static func nearest(to word: String, among words: [String]) -> String? {
    let ranked = words.map { ($0, distance(word, $0)) }.sorted { $0.1 < $1.1 }
    if let (near, distance) = ranked.first, distance <= max(1, min(3, near.count / 3)) {
      return near
    }
    let longer = words.filter { word.count > 2 && $0.hasPrefix(word) }
    return longer.count == 1 ? longer[0] : nil
  }

  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.lowercased().prefix(64)), Array(b.lowercased()))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
