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
    let encodings: [PercentEncoding] = [.component, .segments, .form]
    let escaped = encodings.map { $0.encode(value) } + [PercentEncoding.path, .query].map { $0.repair(value) }
    let blanks = value.replacing("\t", with: " ")
    let trimmed = String(value.withoutBlanks)
    // A line of a log has one of them.
    let lines = value.split(whereSeparator: \.isNewline).map { String($0.withoutBlanks) }
    let all =
      [value, json, value.terminalSafe, value.lowercased(), value.replacing("+", with: " "), blanks, trimmed]
      + escaped + lines
    return all.filter { $0.utf8.count >= leastLength }
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
          address += PercentEncoding.component.encode(value)
        } else if place.contains("/") || isPath {
          address += PercentEncoding.segments.encode(value)
        } else {
          address += escapesBraces ? value.replacing("{", with: "{{").replacing("}", with: "}}") : value
        }
      }
    }
    return address
  }

  private func value(_ reference: String, _ replacement: Replacement) -> String {
    guard let value = values[reference] else { return "redacted" }
    return replacement == .value ? value : "redacted-\(SHA256.name(of: value, salt: []).prefix(6))"
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
