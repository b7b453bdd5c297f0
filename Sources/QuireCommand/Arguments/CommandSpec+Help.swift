extension CommandSpec {
  /// `quire crawl [options] URL`.
  var usage: String {
    let operands = operands.map { $0.isOptional ? "[\($0.name)]" : $0.name }
    return (["quire", name] + (groups.isEmpty ? [] : ["[options]"]) + operands)
      .joined(separator: " ")
  }

  /// The text that `--help` prints, at most 80 columns wide.
  var helpText: String {
    var lines = Self.wrap(summary.prefix(1).uppercased() + summary.dropFirst() + ".", width: 80)
    lines += ["", "usage: \(usage)"]
    for operand in operands {
      lines.append("")
      lines += Self.entry(operand.name, operand.help)
    }
    for group in groups {
      lines += ["", "\(group.title):"]
      lines += group.options.flatMap { Self.entry($0.synopsis, $0.help) }
    }
    lines += ["", "other:"] + Self.entry(OptionSpec.help.synopsis, OptionSpec.help.help)
    for note in notes {
      lines += ["", "\(note.title):"] + note.lines.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let column = 28

  private static func entry(_ name: String, _ help: String) -> [String] {
    let text = wrap(help, width: 80 - column)
    let head = "  \(name)"
    let space = String(repeating: " ", count: column)
    if head.count + 2 > column { return [head] + text.map { space + $0 } }
    let first = head + String(repeating: " ", count: column - head.count) + (text.first ?? "")
    return [first] + text.dropFirst().map { space + $0 }
  }

  static func wrap(_ text: some StringProtocol, width: Int) -> [String] {
    text.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}

extension OptionSpec {
  /// `--items PATH`.
  var synopsis: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}
