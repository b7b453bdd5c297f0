/// The manual page, generated from the specs of the commands.
enum Manual {
  /// The date of the last change to the text.
  private static let date = "2026-11-23"

  static func page(of commands: [CommandSpec]) -> String {
    var lines = [
      ".TH QUIRE 1 \(date)", ".SH NAME", "quire \\- read every row of a paginated API",
      ".SH SYNOPSIS",
    ]
    for (index, command) in commands.enumerated() {
      if index > 0 { lines.append(".br") }
      let rest = command.usage.dropFirst("quire \(command.name)".count).drop { $0 == " " }
      lines.append(".B quire \(command.name)")
      if !rest.isEmpty { lines.append(escaped(String(rest))) }
    }
    lines += [".SH DESCRIPTION"]
    for command in commands {
      lines += [".SS quire \(command.name)"] + filled(sentence(command.summary))
      for operand in command.operands {
        lines += [".TP", ".I \(escaped(operand.name))"] + filled(sentence(operand.help))
      }
      for group in command.groups {
        lines += [".PP", ".I \(escaped(group.title.firstUppercased))"]
        for option in group.options { lines += entry(option) }
      }
      for note in command.notes {
        lines += [".PP", ".I \(escaped(note.title.firstUppercased))", ".PP", ".nf"]
        lines += note.lines.map(escaped) + [".fi"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ option: OptionSpec) -> [String] {
    let name = "\\fB\(escaped("--" + option.name))\\fR"
    let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return [".TP", name + value] + filled(sentence(option.help))
  }

  private static func sentence(_ text: String) -> String {
    // Words that users type keep their case.
    let isTyped = text.hasPrefix("bash")
    return (isTyped ? text : text.firstUppercased) + (text.hasSuffix(".") ? "" : ".")
  }

  private static func filled(_ text: String) -> [String] {
    CommandSpec.wrap(text, width: 78).map(escaped)
  }

  /// Returns the text in ASCII, with everything escaped that roff would take for a request.
  static func escaped(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": plain += "\\e"
      case "-": plain += "\\-"
      case _ where scalar.isASCII: plain.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        plain += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}

extension String {
  fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}
