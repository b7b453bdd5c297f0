internal import Quire
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What `${env:NAME}`, `${file:PATH}` and `${command:…}` in a plan stand for. Their values are shown nowhere.
struct PlanSecrets: Sendable {
  /// The value of each reference, which has no braces around it.
  private var values: [String: String] = [:]
  /// What is masked, the longest first.
  private var masks: [String] = []

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
    var masks: Set<String> = []
    for value in values.values where !value.isEmpty {
      let json = String(JSONAny.string(value).text().dropFirst().dropLast())
      // Addresses escape what is no part of them, and forms all but letters and digits.
      let escaped = [" \"<>`#", " \"<>'#", " \"<>`#?{}"].map { set in
        Self.escaped(value) { $0 > 0x20 && $0 < 0x7F && !set.utf8.contains($0) }
      }
      let form = Self.escaped(value) { $0.isASCIIAlphanumeric || "-._~".utf8.contains($0) }
      masks.formUnion([value, json, form, value.terminalSafe] + escaped)
    }
    self.masks = masks.sorted { ($1.count, $0) < ($0.count, $1) }
    if !problems.isEmpty { throw UsageError(masked(plan.error(problems).description)) }
  }

  /// Returns a text with the values of its references.
  ///
  /// - Parameter escapesBraces: Whether braces in a value are written twice, where single ones name members of a row.
  func expanded(_ text: String, escapingBraces escapesBraces: Bool = false) -> String {
    guard let parts = try? Self.parts(of: .init(text: text, place: TextPlace(line: 1, column: 1))) else { return text }
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .reference(let reference):
        escapesBraces
          ? value(reference).replacing("{", with: "{{").replacing("}", with: "}}") : value(reference)
      }
    }.joined()
  }

  private func value(_ reference: String) -> String { values[reference] ?? Redaction.marker }

  /// Returns a text with all secrets masked.
  func masked(_ text: String) -> String {
    masks.reduce(text) { $0.replacing($1, with: Redaction.marker) }
  }

  /// Returns a text with `%20` and the like for all bytes that are not kept.
  private static func escaped(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let digits = String(byte, radix: 16, uppercase: true)
      result += isKept(byte) ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + digits
    }
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
