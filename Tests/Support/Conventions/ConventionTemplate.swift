import Foundation
import ItemMapping

/// Fills the placeholders of a described response.
///
/// A text `{name}` becomes the value itself, `page={name}` a text with it. A value that there is none of becomes
/// `null`; `{name?}` leaves the member out, and `{name|false}` has a value instead. An object with a member `?` is left
/// out where there is no value of that name. `{form:name}` writes a number in another form.
struct ConventionTemplate {
  var values: [String: JSONAny]
  /// Returns the address of a page, by form and page: `url` and `next`.
  var address: (_ form: String, _ page: String) -> String? = { _, _ in nil }

  /// Returns the filled value; `nil` where it is left out.
  func fill(_ value: JSONAny) -> JSONAny? {
    switch value {
    case .object(let object):
      if let name = object["?"]?.string, self.value(name) == nil { return nil }
      return .object(
        JSONAny.Object(
          object.compactMap { name, value in
            name == "?" ? nil : fill(value).map { (fill(name), $0) }
          }))
    case .array(let elements): return .array(elements.compactMap(fill))
    case .string(let text): return filled(text)
    default: return value
    }
  }

  /// Returns a filled text; empty where a value is missing.
  func fill(_ text: String) -> String { filled(text)?.plain ?? "" }

  private func filled(_ text: String) -> JSONAny? {
    guard text.contains("{") else { return .string(text) }
    var parts: [String] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      var name = String(rest[rest.index(after: open)..<close])
      var fallback: JSONAny? = .null
      if name.hasSuffix("?") {
        name.removeLast()
        fallback = nil
      } else if let bar = name.firstIndex(of: "|") {
        let text = String(name[name.index(after: bar)...])
        fallback = (try? JSONAny(parsing: text)) ?? .string(text)
        name = String(name[..<bar])
      }
      guard let value = value(name) else { return fallback }
      if open == text.startIndex, close == text.index(before: text.endIndex) { return value }
      parts += [String(rest[..<open]), value.plain]
      rest = rest[rest.index(after: close)...]
    }
    return .string(parts.joined() + rest)
  }

  private func value(_ name: String) -> JSONAny? {
    guard let colon = name.firstIndex(of: ":") else { return values[name] }
    let form = String(name[..<colon])
    let variable = String(name[name.index(after: colon)...])
    if ["url", "path", "query", "file", "raw"].contains(form) {
      return address(form, variable).map(JSONAny.string)
    }
    guard let value = values[variable] else { return nil }
    guard let number = value.int else { return .string(value.plain) }
    return switch form {
    case "text": .string("\(number)")
    case "hash": .int(number &* 7919 % 10_007 + 10_000)
    case "hex":
      .string("5f" + String(number &* 2_654_435_761 % 0xffff_ffff + 0x1_0000_0000, radix: 16))
    case "date": .string("2024-05-01T\(Self.two(number / 60 % 24)):\(Self.two(number % 60)):00Z")
    case "down": .int(1_714_560_000 - number &* 60)
    case "base64": .string(Data("offset:\(number)".utf8).base64EncodedString())
    default: fatalError("no form \(form)")
    }
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}

extension JSONAny {
  /// The value as a parameter or header has it.
  var plain: String {
    switch self {
    case .string(let text): text
    case .null: ""
    default: text()
    }
  }

  /// The value at a path of names, separated by dots.
  func at(_ path: some StringProtocol) -> JSONAny? {
    path.split(separator: ".").reduce(self) { $0?.object?[String($1)] }
  }
}
