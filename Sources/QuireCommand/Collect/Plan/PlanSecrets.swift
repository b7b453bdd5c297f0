internal import Quire
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What `${env:NAME}`, `${file:PATH}` and `${command:…}` in a plan stand for. Their values are shown nowhere.
struct PlanSecrets: Sendable {
  /// A shorter value is in too many other texts to be masked.
  private static let leastLength = 4

  /// The value of each reference, which has no braces around it.
  private var values: [String: String] = [:]
  /// The forms in which values are found, the longest first.
  private var forms: [String] = []

  init() {}

  /// Looks up all that a plan refers to. Throws all that is missing.
  ///
  /// - Parameter runsCommands: Whether commands are run; without, their values are unknown.
  init(_ plan: PlanFile, runsCommands: Bool) async throws(UsageError) {
    var problems: [TextProblem] = []
    for value in plan.texts {
      do throws(TextProblem) {
        for part in try Self.parts(of: value) {
          guard case .reference(let reference) = part, values[reference] == nil else { continue }
          do throws(UsageError) {
            values[reference] = try await Self.value(of: reference, runsCommands)
          } catch {
            throw TextProblem(place: value.place, text: error.description)
          }
        }
      } catch {
        problems.append(error)
      }
    }
    let hidden = values.values.filter { $0.utf8.count >= Self.leastLength }
    forms = Set(hidden.flatMap(Self.forms)).sorted { ($1.count, $0) < ($0.count, $1) }
    if !problems.isEmpty { throw UsageError(masked(plan.error(problems).description)) }
  }

  /// Returns a text with all secrets masked. What is put in for one is not looked at again.
  func masked(_ text: String) -> String {
    var (result, rest) = ("", text[...])
    while true {
      var first: Range<String.Index>?
      // The longest one comes first where several begin at one place.
      for form in forms {
        guard let range = rest.firstRange(of: form) else { continue }
        if first.map({ range.lowerBound < $0.lowerBound }) ?? true { first = range }
      }
      guard let first else { return result + rest }
      result += rest[..<first.lowerBound] + Redaction.marker
      rest = rest[first.upperBound...]
    }
  }

  /// The forms of a value in JSON, addresses, forms, headers and on a terminal.
  private static func forms(of value: String) -> [String] {
    let json = String(JSONAny.string(value).text().dropFirst().dropLast())
    // Addresses escape what is no part of them, and forms all but letters and digits.
    let escaped = [" \"<>`#", " \"<>'#", " \"<>`#?{}"].map { set in
      Self.escaped(value) { $0 > 0x20 && $0 < 0x7F && !set.utf8.contains($0) }
    }
    let kept = ["-._~", "-._~/"].map { set in
      Self.escaped(value) { $0.isASCIIAlphanumeric || set.utf8.contains($0) }
    }
    let form = Self.escaped(value) { $0.isASCIIAlphanumeric || "*-._ ".utf8.contains($0) }.replacing(" ", with: "+")
    let blanks = value.replacing("\t", with: " ")
    let trimmed = String(value.withoutBlanks)
    // A line of a log has one of them.
    let lines = value.split(whereSeparator: \.isNewline).map { String($0.withoutBlanks) }
    let all =
      [value, json, form, value.terminalSafe, value.lowercased(), value.replacing("+", with: " "), blanks, trimmed]
      + kept + escaped + lines
    return all.filter { $0.utf8.count >= leastLength }
  }

  /// The first digits of a digest.
  private static func digest(_ text: String, _ count: Int) -> String {
    let digits = SHA256.digest(Array(text.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return String(digits.joined().prefix(count))
  }

  /// Returns a text with `%20` and the like for all bytes that are not kept.
  private static func escaped(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let digits = String(byte, radix: 16, uppercase: true)
      result += isKept(byte) ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + digits
    }
  }

  // MARK: - Expanding

  /// What a reference is replaced by.
  enum Replacement {
    case value
    /// A text that shows no secret, and is another one for another value: what a table keeps of its source.
    case standIn
  }

  /// Returns a text with its references replaced.
  func expanded(_ text: String, by replacement: Replacement = .value) -> String {
    parts(text).map { part in
      switch part {
      case .text(let text): text
      case .reference(let reference): value(reference, replacement)
      }
    }.joined()
  }

  /// Returns an address with its references replaced. What has a meaning in the path or the query is escaped in a value.
  ///
  /// - Parameters:
  ///   - isPath: Whether the text begins with the path.
  ///   - escapesBraces: Whether braces in a value are written twice, where single ones name members of a row.
  func expanded(
    address text: String, by replacement: Replacement = .value, isPath: Bool, escapingBraces escapesBraces: Bool = false
  ) -> String {
    var address = ""
    for part in parts(text) {
      switch part {
      case .text(let text): address += text
      case .reference(let reference):
        let value = value(reference, replacement)
        let place = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        if place.contains("?") {
          address += Self.escaped(value) { $0.isASCIIAlphanumeric || "-._~".utf8.contains($0) }
        } else if place.contains("/") || isPath {
          address += Self.escaped(value) { $0.isASCIIAlphanumeric || "-._~/".utf8.contains($0) }
        } else {
          address += escapesBraces ? value.replacing("{", with: "{{").replacing("}", with: "}}") : value
        }
      }
    }
    return address
  }

  private func value(_ reference: String, _ replacement: Replacement) -> String {
    guard let value = values[reference] else { return "redacted" }
    return replacement == .value ? value : "redacted-\(Self.digest(value, 6))"
  }

  private func parts(_ text: String) -> [Part] {
    (try? Self.parts(of: .init(text: text, place: TextPlace(line: 1, column: 1)))) ?? [.text(text)]
  }

  private enum Part {
    case text(String)
    case reference(String)
  }

  /// Splits a text at its references. A reference ends with the brace that closes it; `$${` is no reference, but `${`.
  private static func parts(of value: PlanFile.Value) throws(TextProblem) -> [Part] {
    var parts: [Part] = []
    var rest = value.text[...]
    while let start = rest.firstRange(of: "${") {
      let text = rest[..<start.lowerBound]
      if text.hasSuffix("$") {
        parts.append(.text(text.dropLast() + "${"))
        rest = rest[start.upperBound...]
        continue
      }
      parts.append(.text(String(text)))
      var (depth, end) = (1, start.upperBound)
      while end < rest.endIndex {
        if rest[end] == "{" { depth += 1 }
        if rest[end] == "}" { depth -= 1 }
        if depth == 0 { break }
        end = rest.index(after: end)
      }
      guard end < rest.endIndex else {
        throw TextProblem(place: value.place, text: "a ${ has no } that closes it")
      }
      parts.append(.reference(String(rest[start.upperBound..<end])))
      rest = rest[rest.index(after: end)...]
    }
    return parts + [.text(String(rest))]
  }

  private static func value(of reference: String, _ runsCommands: Bool) async throws(UsageError) -> String? {
    let colon = reference.firstIndex(of: ":") ?? reference.endIndex
    let argument = String(reference[colon...].dropFirst())
    let value: String
    switch (reference[..<colon], argument) {
    case ("env", let name) where !name.isEmpty:
      guard let found = ProcessInfo.processInfo.environment[name], !found.isEmpty else {
        throw UsageError("${env:\(name)}: the environment has no variable \(name), or it is empty")
      }
      value = found
    case ("file", let path) where !path.isEmpty:
      guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
      else { throw UsageError("${file:\(path)}: the file can't be read as text") }
      value = text
    case ("command", let command) where !command.isEmpty:
      guard runsCommands else { return nil }
      value = try await output(of: command)
    default:
      throw UsageError("“${\(reference)}” is no secret; use ${env:NAME}, ${file:PATH} or ${command:TEXT}")
    }
    let line = String(value.reversed().drop(while: \.isNewline).reversed())
    if line.isEmpty { throw UsageError("${\(reference)} is empty") }
    return line
  }

  private static func output(of command: String) async throws(UsageError) -> String {
    let result: ShellCommand.Result
    do throws(TokenCommand.Failure) { result = try await ShellCommand(command).run() } catch {
      throw UsageError("${command:\(command)}: \(error)")
    }
    guard result.ending == .exited(0), let text = String(validating: result.output, as: UTF8.self) else {
      let reason = result.firstError.map { ": \($0)" } ?? ""
      throw UsageError("${command:\(command)}: the command failed\(reason)")
    }
    return text
  }
}

extension PlanFile {
  /// All texts that can refer to secrets.
  fileprivate var texts: [Value] {
    let entries = lists.flatMap { $0.entries + $0.children.flatMap(\.entries) } + (every.map { [$0] } ?? [])
    return (server.map { [$0] } ?? []) + entries.flatMap(\.values)
  }
}
