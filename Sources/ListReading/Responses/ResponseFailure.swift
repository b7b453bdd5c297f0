internal import ItemMapping
internal import ServerAPI

/// What a response with a status of success says of itself.
enum ResponseVerdict: Hashable, Sendable {
  /// Nothing: it succeeded, as far as it says.
  case nothing
  /// It failed. It has no rows.
  case failed(code: String, message: String)
  /// It has some of the rows only, for this reason.
  case partial(String)
}

/// Judges a response by what it says of itself. A pure value.
///
/// Only objects around the rows are looked at: those on the way to the rows, and those in them whose names say that they
/// describe the response.
struct ResponseFailure {
  /// What says that a response failed, or has some of the rows only.
  fileprivate struct Sign {
    /// The object that has the member.
    let object: JSONView
    let name: String
    let value: JSONView
    let isPartial: Bool
    /// Whether it says nothing of a response that has rows.
    var needsNoRows = false
    /// Whether the value is the message, or has it.
    var hasMessage = false
  }

  private let words: FailureWords
  /// Values of the request, which a response may repeat.
  private let isEcho: (_ name: String, _ value: String) -> Bool
  private var signs: [Sign] = []

  /// Returns what a response says.
  ///
  /// - Parameters:
  ///   - root: The whole JSON.
  ///   - words: What to look for.
  ///   - itemsPath: Where the rows are, if that is known. Otherwise they are searched for.
  ///   - isEcho: Whether the request has such a value, as that of a filter, so that the response only repeats it.
  static func verdict(
    on root: JSONView, _ words: FailureWords, itemsPath: JSONPath?,
    isEcho: (_ name: String, _ value: String) -> Bool
  ) -> ResponseVerdict {
    withoutActuallyEscaping(isEcho) { isEcho in
      var failure = ResponseFailure(words, isEcho)
      failure.search(root, itemsPath)
      guard !failure.signs.isEmpty else { return .nothing }
      return failure.verdict(hasRows: failure.hasRows(root, itemsPath))
    }
  }

  private init(_ words: FailureWords, _ isEcho: @escaping (_ name: String, _ value: String) -> Bool) {
    (self.words, self.isEcho) = (words, isEcho)
  }

  private func hasRows(_ root: JSONView, _ itemsPath: JSONPath?) -> Bool {
    var path = itemsPath
    if path == nil, case .found(let found, _) = ListFinder.find(in: root) {
      // An array of errors is not the list.
      let isError = found.segments.contains { segment in
        if case .name(let name) = segment { signs.contains { $0.name == name } } else { false }
      }
      path = isError ? nil : found
    }
    guard let rows = path.flatMap({ root[$0] }) else { return false }
    return rows.kind == .array && rows.count > 0
  }

  private func verdict(hasRows: Bool) -> ResponseVerdict {
    let relevant = hasRows ? signs.filter { !$0.needsNoRows } : signs
    if !hasRows, let failed = relevant.first(where: { !$0.isPartial }) {
      let best = relevant.first { !$0.isPartial && $0.value.kind != .bool } ?? failed
      return .failed(code: best.code, message: best.message)
    }
    guard let sign = relevant.first else { return .nothing }
    return .partial(sign.message)
  }

  // MARK: - Signs

  private static let (deepest, mostMembers) = (4, 200)
  /// The names of objects that describe a response.
  private static let places: Set<String> = [
    "meta", "metadata", "response", "responses", "header", "head", "status", "info", "data",
    "payload", "body", "result", "envelope", "shards", "state",
  ]

  private mutating func search(_ root: JSONView, _ itemsPath: JSONPath?) {
    for declared in words.declared {
      guard let value = root[declared.path], value.plainText == declared.value else { continue }
      let name = declared.path.plainText
      signs.append(Sign(object: root, name: name, value: value, isPartial: declared.isPartial))
    }
    guard words.isUsual else { return }
    let way = itemsPath?.segments ?? []
    if root.kind == .object {
      search(root, way[...], depth: 0, in: nil)
    } else if root.kind == .array, !way.isEmpty, root.count <= 4 {
      // `[{"page": 1, …}, [rows]]`
      for (index, element) in root.elements.enumerated() where element.kind == .object {
        let isOnTheWay = way.first == .index(index)
        search(element, isOnTheWay ? way.dropFirst() : [], depth: 0, in: nil)
      }
    }
  }

  /// Searches an object.
  ///
  /// - Parameters:
  ///   - way: What is left of the path of the rows.
  ///   - parent: The name of the object.
  private mutating func search(
    _ object: JSONView, _ way: ArraySlice<JSONPath.Segment>, depth: Int, in parent: String?
  ) {
    var left = Self.mostMembers
    for member in object.members {
      left -= 1
      guard left > 0 else { return }
      let (name, value) = (member.name, member.value)
      let isOnTheWay = way.first == .name(name)
      // The rows themselves.
      if isOnTheWay, way.count == 1 { continue }
      if !value.isNull, let word = words.word(named: name) {
        add(word, name, value, of: object, in: parent)
      }
      guard value.kind == .object, depth < Self.deepest,
        isOnTheWay || NameWords(name).hasAny(of: Self.places)
      else { continue }
      search(value, isOnTheWay ? way.dropFirst() : [], depth: depth + 1, in: name)
    }
  }

  private mutating func add(
    _ word: FailureWords.Word, _ name: String, _ value: JSONView, of object: JSONView,
    in parent: String?
  ) {
    var sign = Sign(object: object, name: name, value: value, isPartial: word.isPartial)
    switch word.value {
    case .no:
      guard value.yesOrNo == false, !isEcho(name, "false") else { return }
      guard value.kind == .number else { break }
      // It may be the number of successes.
      guard ["ok", "success"].contains(name.lowercased()) else { return }
      sign.needsNoRows = true
    case .yes:
      guard value.kind != .number, value.yesOrNo == true, !isEcho(name, "true") else { return }
    case .something:
      guard value.saysSomething(depth: 0) else { return }
      sign.hasMessage = true
    case .failure:
      // The state of a thing that has rows, such as a build with its jobs.
      guard object["id"] == nil, !isEcho(name, value.plainText.lowercased()) else { return }
      let isPartial = ["partial", "incomplete"].contains(value.string?.lowercased())
      if isPartial { return signs.append(Sign(object: object, name: name, value: value, isPartial: true)) }
      if !["error", "errors", "fail", "failed", "failure"].contains(value.string?.lowercased()) {
        guard value.isErrorStatus || value.hasFailureWords else { return }
        sign.needsNoRows = true
      }
    case .status:
      guard value.isErrorStatus || sign.isCodeBesideFailureWords else { return }
      sign.needsNoRows = true
    case .message:
      guard value.hasFailureWords else { return }
      (sign.needsNoRows, sign.hasMessage) = (true, true)
    case .code:
      guard let code = value.wholeNumber, code != 0, code != 200 else { return }
      sign.needsNoRows = true
    case .count(let place):
      let isInPlace = parent.map { NameWords($0).words == [place] } ?? false
      guard !isEcho(name, "true"), value.bool ?? (isInPlace && value.wholeNumber ?? 0 > 0) else {
        return
      }
    }
    signs.append(sign)
  }
}

// MARK: - Messages

extension ResponseFailure.Sign {
  private static let texts = [
    "message", "msg", "error_description", "detail", "title", "error_message", "errorMessage",
    "errmsg", "description", "reason", "text", "info", "error", "errors", "type", "code",
  ]
  private static let codes = ["code", "status", "error_code", "errorCode", "errno", "error_id"]

  /// The code of the error; empty where the response has none.
  fileprivate var code: String {
    for view in [value.first, value, object] where view.kind == .object {
      for name in Self.codes {
        guard let found = view[name], let text = found.shortScalar, found.kind != .bool,
          Int(text) != nil || found.kind == .string && name != "status"
        else { continue }
        return bounded(text)
      }
    }
    if value.kind == .number { return bounded(value.text) }
    return ""
  }

  /// What the response says, in its words: the member, and its message.
  fileprivate var message: String {
    let fact = "“\(name)” is \(value.kind == .object || value.kind == .array ? "not empty" : shown)"
    guard let message = (hasMessage ? text(of: value.first) : nil) ?? neighbor else {
      return bounded(fact)
    }
    return value.kind == .string && value.string == message
      ? bounded(message) : bounded("\(fact): \(message)")
  }

  private var shown: String { value.kind == .string ? "“\(value.plainText)”" : value.text }

  /// Whether it is a number other than 0 and those of a page that isn't there, beside a message that speaks of a failure.
  fileprivate var isCodeBesideFailureWords: Bool {
    guard let code = value.wholeNumber, ![0, 200, 404, 410, 416].contains(code) else { return false }
    return Self.texts.contains { $0 != name && object[$0]?.hasFailureWords == true }
  }

  /// The message beside the member.
  private var neighbor: String? {
    guard object[name] != nil else { return nil }
    return Self.texts.lazy.filter { $0 != name }.compactMap { text(of: object[$0]?.first) }
      .first { _ in true }
  }

  private func text(of view: JSONView?) -> String? {
    guard let view else { return nil }
    if view.kind == .string { return view.string.flatMap { $0.isEmpty ? nil : $0 } }
    guard view.kind == .object else { return nil }
    for name in Self.texts {
      if let text = view[name]?.first.string, !text.isEmpty { return text }
    }
    return nil
  }

  /// Without secrets, on one line, and short enough for an error.
  private func bounded(_ text: String) -> String {
    let cut = text.prefix(400)
    let line = String(cut.map { $0.isNewline ? " " : $0 })
    let masked = Redaction().text(line)
    return masked.count > 200 || cut.endIndex < text.endIndex ? masked.prefix(200) + "…" : masked
  }
}

extension JSONView {
  /// The first element of an array; otherwise the value.
  fileprivate var first: JSONView { kind == .array ? self[0] ?? self : self }

  /// The value as a parameter has it.
  fileprivate var plainText: String { JSONAny(self, keepingDigits: true).plainText }

  fileprivate var shortScalar: String? {
    switch kind {
    case .number, .bool: text
    case .string: string
    case .null, .array, .object: nil
    }
  }

  /// Whether the value of a member such as `error` says that there is one.
  fileprivate func saysSomething(depth: Int) -> Bool {
    guard depth < 4 else { return true }
    switch kind {
    case .null: return false
    case .bool: return bool == true
    case .number: return double != 0 && int != 200
    case .string: return !Self.nothing.contains((string ?? "").trimmed.lowercased())
    case .array: return elements.prefix(50).contains { $0.saysSomething(depth: depth + 1) }
    case .object: return members.prefix(50).contains { $0.value.saysSomething(depth: depth + 1) }
    }
  }

  /// Whether it is a status of HTTP that says that a request failed, and not that there is no such page.
  fileprivate var isErrorStatus: Bool {
    wholeNumber.map { (400..<600).contains($0) && ![404, 410, 416].contains($0) } ?? false
  }

  /// Whether it is a text of a few words such as `OVER_QUERY_LIMIT`.
  fileprivate var hasFailureWords: Bool {
    guard kind == .string, let text = string, text.utf8.count <= 40 else { return false }
    let words = NameWords(text)
    let isLimit =
      words.has("limit") && words.hasAny(of: ["over", "exceeded", "reached", "query", "rate"])
    return words.words.count <= 5 && (isLimit || words.hasAny(of: Self.failures))
      && !words.hasAny(of: ["no", "not", "non", "without", "zero"])
  }

  private static let failures: Set<String> = [
    "exception", "timed", "error", "fail", "failed", "failure", "denied", "exceeded", "throttled", "throttling",
    "unauthorized", "forbidden", "timeout", "unavailable",
  ]

  private static let nothing: Set<String> = [
    "", "0", "200", "false", "null", "nil", "none", "no", "no error", "no errors", "ok", "success",
  ]
}
