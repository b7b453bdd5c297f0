internal import Support

/// The message that a response with an error status has for people.
enum ServerMessage {
  private static let longest = 300
  /// The size of a text that is a message as a whole.
  private static let longestText = 1_024

  /// Where services put it, the most specific first: RFC 9457, GraphQL, OAuth and what else is usual.
  private static let places: [[EnvelopeScanner.Step]] = [
    "detail", "message", "error.message", "error.detail", "error.description", "error.msg",
    "errors.0.detail", "errors.0.message", "errors.0.description", "errors.0", "errors.message",
    "error_description", "errorMessage", "error_message", "errmsg", "msg", "Message", "title",
    "error.title", "errors.0.title", "reason", "description", "fault.faultstring", "error",
    "0.message",
  ].map { (place: String) in
    place.split(separator: ".").map { $0 == "0" ? .first : .member(Array($0.utf8)) }
  }

  /// Returns the message of a body, on one line, without secrets of the request; `nil` if it has none.
  static func read(_ body: ResponseBody, to request: HTTPRequest?) -> String? {
    body.withUnsafeBytes { bytes -> String? in
      var start = bytes[...]
      if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
      switch start.first(where: { $0 > 0x20 }) {
      case nil, 0x3C: return nil
      case 0x7B, 0x5B:
        for place in places {
          if let text = EnvelopeScanner.string(at: place, in: bytes),
            let message = line(of: text, hiding: request)
          {
            return message
          }
        }
        return nil
      default:
        guard start.count <= longestText, let text = String(validating: start, as: UTF8.self) else {
          return nil
        }
        for part in text.split(whereSeparator: \.isNewline) {
          if let message = line(of: part, hiding: request) { return message }
        }
        return nil
      }
    }
  }

  /// Returns a text on one line and of limited length, without what controls a terminal.
  static func line(
    of text: some StringProtocol, hiding request: HTTPRequest? = nil
  ) -> String? {
    let words = text.unicodeScalars.split { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate:
        scalar != "\u{200D}"
      default: false
      }
    }
    let line = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    guard !line.isEmpty else { return nil }
    var masked = Redaction.usual.text(line)
    for secret in request?.secrets ?? [] where masked.contains(secret) {
      masked = masked.replacing(secret, with: Redaction.marker)
    }
    return masked.count > longest ? masked.prefix(longest - 1) + "…" : masked
  }
}

extension HTTPRequest {
  /// The values that identify the user, as far as their names say so.
  fileprivate var secrets: [String] {
    let masked = Redaction.usual.headers(of: self)
    var values: [String] = []
    for (field, shown) in zip(headers.fields, masked.fields)
    where shown.value == Redaction.marker && field.value != shown.value {
      values.append(field.value)
      // A service repeats a token without its scheme.
      if let token = field.value.split(separator: " ").last { values.append(String(token)) }
    }
    for pair in (url.query ?? "").split(separator: "&") {
      guard let value = pair.split(separator: "=", maxSplits: 1).dropFirst().first,
        !Redaction.usual.form(Array(pair.utf8)).elementsEqual(pair.utf8)
      else { continue }
      values += [String(value), PercentEncoding.decodeComponent(value)]
    }
    // Shorter ones are words.
    return values.filter { $0.utf8.count >= 6 }
  }
}
