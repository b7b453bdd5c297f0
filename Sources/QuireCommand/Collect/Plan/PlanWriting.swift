internal import ListSync
internal import Quire
internal import QuireCollect
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads the first page of a list, and writes a plan with the options that were given and what was recognized.
struct PlanWriting {
  private let arguments: Arguments
  private let options: CollectOptions
  private let path: String
  /// Variables of the environment that stand for secrets of the plan.
  private var variables: [String] = []

  init(_ arguments: Arguments, to path: String) throws(UsageError) {
    (self.arguments, self.path) = (arguments, path)
    if PlanFile.isNamed(by: arguments.operands[0]) {
      throw UsageError("--write-plan needs an address, and “\(arguments.operands[0])” is a plan already")
    }
    options = try CollectOptions(arguments)
    guard PlanFile.isNamed(by: path) else {
      throw UsageError("--write-plan: the name of a plan ends with .yaml or .yml, found “\(path)”")
    }
    if FileManager.default.fileExists(atPath: path) {
      throw UsageError("--write-plan: the file \(path) is there already; remove it, or use another name")
    }
    guard arguments.values.keys.allSatisfy({ $0 == "write-plan" || !PlanFile.runOptions.contains($0) || $0 == "table" })
    else { throw UsageError("--write-plan can't be used with options of a run, such as --into: it collects nothing") }
  }

  mutating func run(_ console: Console) async throws(UsageError) -> CrawlStatus {
    // What can't be written fails before the first request.
    let entries = try given()
    let found: [(name: String, values: [String])]
    do throws(EarlyExit) {
      found = try await recognized().filter { entry in !entries.contains { $0.name == entry.name } }
    } catch {
      if let message = error.message { console.printError("quire \(CollectCommand.spec.name): \(message)") }
      return error.status
    }
    var text = "lists:\n  \(Self.quoted(options.list.name)):\n" + Self.text(entries)
    if !found.isEmpty {
      // What is declared is not looked for any more, and is believed: that is up to the user.
      text += "    # Recognized. A line without # declares it, and nothing else is tried then.\n"
      text += Self.text(found).split(separator: "\n").map { "    # \($0.dropFirst(4))\n" }.joined()
    }
    do { try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting) } catch {
      throw UsageError("--write-plan: the file \(path) can't be written; check its folder and your rights")
    }
    for name in variables {
      console.printError("quire collect: the plan has no secrets; set the variable \(name) before it is read")
    }
    return .complete
  }

  /// The options that were given, without secrets.
  private mutating func given() throws(UsageError) -> [(name: String, values: [String])] {
    let address = options.rounds.crawl.list.call.address
    try check("the address", address, Redaction().text(address))
    var entries = [(name: "url", values: [Self.escaped(address)])]
    for option in PlanFile.options {
      guard let values = arguments.values[option.name] else { continue }
      var written: [String] = []
      for value in values where option.takesValue {
        if option.name == "header" {
          written.append(header(value))
          continue
        }
        if option.name == "next-base" { try check("--next-base", value, Redaction().text(value)) }
        if option.isSecret, !value.hasPrefix("@") {
          let bytes = Array(value.utf8)
          let masked = option.name == "form" ? Redaction().form(bytes) : Redaction().json(bytes)
          try check("--\(option.name)", value, Redaction().text(String(decoding: masked, as: UTF8.self)))
        }
        written.append(Self.escaped(value))
      }
      entries.append((option.name, written))
    }
    return entries
  }

  /// Returns a text that refers to no secret.
  private static func escaped(_ text: String) -> String { text.replacing("${", with: "$${") }

  private func check(_ place: String, _ text: String, _ masked: String) throws(UsageError) {
    guard masked != text else { return }
    throw UsageError("--write-plan: \(place) has a secret, which is not written; write the plan with ${env:NAME} there")
  }

  /// Returns a header with a reference in place of what may be a secret.
  private mutating func header(_ text: String) -> String {
    guard !text.hasPrefix("@"), let colon = text.firstIndex(of: ":"), let url = try? WebURL("https://localhost") else {
      return Self.escaped(text)
    }
    let name = String(text[..<colon].withoutBlanks)
    let value = String(text[text.index(after: colon)...].withoutBlanks)
    let masked = Redaction().headers(
      of: HTTPRequest(.get, url, headers: HTTPHeaders([.init(name: name, value: value)])))
    guard masked[name] != value else { return Self.escaped(text) }
    let words = "\(options.list.name)_\(name)".uppercased().map {
      $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
    }
    var variable = (words.first?.isNumber == true ? "_" : "") + String(words)
    let others = variables.count { $0 == variable || $0.hasPrefix(variable + "_") }
    if others > 0 { variable += "_\(others + 1)" }
    variables.append(variable)
    return "\(name): ${env:\(variable)}"
  }

  /// Reads until it is known how the list is read, which takes a page or two.
  private func recognized() async throws(EarlyExit) -> [(name: String, values: [String])] {
    let pages = try await FirstPages(of: options.rounds.crawl)
    let walk = pages.walk
    var entries: [(name: String, values: [String])] = []
    if let items = pages.items { entries.append(("items", [OptionSyntax.text(items)])) }
    if let id = walk.idPath { entries.append(("id", [OptionSyntax.text(id)])) }
    guard options.rounds.crawl.list.paging == .automatic else { return entries }
    let paging = walk.recognized?.paging ?? (walk.end == .complete ? .single : nil)
    var words = (paging?.options ?? [])[...]
    while let word = words.popFirst() {
      let name = String(word.dropFirst(2))
      let takesValue = CollectCommand.spec.option(name)?.takesValue ?? false
      entries.append((name, takesValue ? words.popFirst().map { [$0] } ?? [] : []))
    }
    return entries
  }

  /// Returns the options of a list. Texts that YAML could read otherwise are quoted, as in JSON.
  private static func text(_ entries: [(name: String, values: [String])]) -> String {
    var text = ""
    for entry in entries {
      switch entry.values.count {
      case 0: text += "    \(entry.name): true\n"
      case 1: text += "    \(entry.name): \(quoted(entry.values[0]))\n"
      default:
        text += "    \(entry.name):\n"
        for value in entry.values { text += "      - \(quoted(value))\n" }
      }
    }
    return text
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "_./:?=&-".utf8.contains($0) }
    let words = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
    let isWord = text.utf8.first?.isASCIIAlphanumeric == true && !text.hasSuffix(":")
    if isPlain, isWord, !words.contains(text.lowercased()) { return text }
    // JSON has characters as they are that YAML wants to be escaped.
    return JSONAny.string(text).text().unicodeScalars.reduce(into: "") { result, scalar in
      let isPrintable =
        (0x20...0x7E).contains(scalar.value) || (0xA0...0xD7FF).contains(scalar.value)
        || (0xE000...0xFFFD).contains(scalar.value) || scalar.value > 0xFFFF
      if isPrintable, ![0x2028, 0x2029, 0xFEFF].contains(scalar.value) {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }
}
