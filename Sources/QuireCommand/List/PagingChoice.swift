internal import Quire

/// The value of `--paging`, given or implied by other options.
enum PagingChoice: String, CaseIterable, Sendable {
  case auto, page, offset, cursor, link, next, keyset, relay, range, none

  static let names = allCases.map(\.rawValue)

  /// The options that belong to one paging and imply it.
  private static let implied: [(PagingChoice, [String])] = [
    (.page, ["page-param", "first-page", "pages", "next-page", "last-page"]),
    (.offset, ["offset-param", "first-offset", "limit-param"]),
    (.cursor, ["cursor", "cursor-into"]), (.next, ["next", "next-base"]),
    (.keyset, ["keyset", "unique-keys"]), (.relay, ["connection"]), (.range, ["unit"]),
  ]

  /// The options that say where a list ends, whose pages are counted or have cursors.
  private static let ending = ["has-next", "total", "end-status", "end"]

  /// The options that this paging shares with others.
  private var shared: [String] {
    switch self {
    case .page, .cursor, .offset: Self.ending + ["size", "size-param"]
    case .keyset: Self.ending + ["size", "size-param", "limit-param"]
    case .link, .next: ["total", "size", "size-param"]
    case .relay, .range: ["size"]
    case .auto, .none: ["size", "size-param"]
    }
  }

  /// Chooses the given paging, or the one that other options imply.
  init(_ arguments: Arguments) throws(UsageError) {
    let given = Self.implied.flatMap { choice, names in
      names.filter(arguments.has).map { (choice, $0) }
    }
    if let name = arguments["paging"], let choice = PagingChoice(rawValue: name) {
      self = choice
    } else {
      let choices = given.filter { !($0.0 == .offset && $0.1 == "limit-param") }
      self = choices.first?.0 ?? (given.isEmpty ? .auto : .offset)
    }
    let known = Self.implied.filter { $0.0 == self }.flatMap(\.1) + shared
    for (choice, name) in given where !known.contains(name) {
      let reason =
        arguments.has("paging") || given.isEmpty
        ? "--paging \(rawValue)" : "--\(given[0].1), which implies --paging \(rawValue)"
      throw UsageError(
        "--\(name) can't be used with \(reason): it belongs to --paging \(choice.rawValue)")
    }
    for name in Self.ending
    where arguments.has(name) && !known.contains(name) {
      throw UsageError(
        "--\(name) can't be used with --paging \(rawValue)"
          + (self == .auto ? "; name the paging, as in --paging page" : ""))
    }
    if let end = arguments["end"], end != "empty", self != .cursor {
      throw UsageError("--end \(end) needs --cursor: only cursors have it")
    }
    for name in ["size", "size-param"] where arguments.has(name) && !known.contains(name) {
      throw UsageError("--\(name) can't be used with --paging \(rawValue)")
    }
  }
}

extension PagingChoice {
  /// Returns the paging. Adds the page size to the call if the paging has no parameter for it.
  func paging(_ arguments: Arguments, _ call: inout Call) throws(UsageError) -> Paging {
    try arguments.forbid(
      "limit-param", with: "size-param", because: "both set where the page size goes")
    let size = try arguments.number("size", atLeast: 1)
    let sizeName = arguments.has("size-param") ? "size-param" : "limit-param"
    let isSizeSent = arguments[sizeName] != "none"
    let sizePlace = try isSizeSent ? place(sizeName, arguments) : nil
    func sizeParameter(_ standard: RequestLocation) -> RequestLocation? {
      isSizeSent ? sizePlace ?? standard : nil
    }
    let total = try source("total", arguments)
    switch self {
    case .auto, .none, .link, .next:
      try addSize(size, at: sizePlace, arguments, to: &call)
      return try linked(arguments, total)
    case .page:
      let paging = Paging.pageNumber(
        size: size, first: try arguments.number("first-page") ?? 1,
        parameter: try place("page-param", arguments) ?? "page",
        sizeParameter: sizeParameter("per_page"))
      return paging.ending(try ends(arguments))
    case .offset:
      let place = sizeParameter("limit")
      let paging = Paging.offset(
        limit: size ?? place.flatMap { Self.number(at: $0, in: call) } ?? Self.defaultSize,
        first: try arguments.number("first-offset") ?? 0,
        parameter: try self.place("offset-param", arguments) ?? "offset", limitParameter: place)
      return paging.ending(try ends(arguments))
    case .cursor:
      guard let cursor = try source("cursor", arguments) else {
        throw UsageError("--paging cursor needs --cursor SOURCE")
      }
      let paging = Paging.cursor(
        at: cursor, into: try place("cursor-into", arguments) ?? "cursor", size: size,
        sizeParameter: sizeParameter("limit"))
      return paging.ending(try ends(arguments))
    case .keyset:
      let fields = try Self.fields(arguments)
      let paging = Paging.keyset(
        fields.map(\.path), into: fields.map(\.place), isUnique: arguments.has("unique-keys"),
        limit: size, limitParameter: sizeParameter("limit"))
      return paging.ending(try ends(arguments))
    case .relay:
      return .relay(
        connection: try Self.connection(arguments), size: size ?? Self.defaultSize)
    case .range:
      return .range(unit: arguments["unit"] ?? "items", size: size ?? Self.defaultSize)
    }
  }

  private static let defaultSize = 100

  private func linked(
    _ arguments: Arguments, _ total: ResponseLocation?
  ) throws(UsageError) -> Paging {
    switch self {
    case .auto: return .automatic
    case .link: return .link(total: total)
    case .next:
      guard let next = try source("next", arguments) else {
        throw UsageError("--paging next needs --next SOURCE")
      }
      return .nextURL(at: next, total: total, base: try Self.base(arguments))
    default: return .single
    }
  }

  private func addSize(
    _ size: Int?, at place: RequestLocation?, _ arguments: Arguments, to call: inout Call
  ) throws(UsageError) {
    guard let size else {
      return try arguments.require("size", for: "size-param")
    }
    guard let place else {
      throw UsageError("--size needs --size-param with --paging \(rawValue)")
    }
    switch place {
    case .query(let name): call.params.set(name, size)
    case .header(let name): call.headers[name] = "\(size)"
    default:
      throw UsageError("--size-param must be query:NAME or header:NAME with --paging \(rawValue)")
    }
  }

  private static func base(_ arguments: Arguments) throws(UsageError) -> WebURL? {
    guard let text = arguments["next-base"] else { return nil }
    do throws(RequestError) {
      return try WebURL(text)
    } catch {
      let shown = Redaction().text(text)
      guard case .invalidRequest(let defect) = error.kind else {
        throw UsageError("--next-base must be an address, found “\(shown)”")
      }
      throw UsageError("--next-base: the address “\(shown)” \(defect.problem)")
    }
  }

  private static func connection(_ arguments: Arguments) throws(UsageError) -> JSONPath {
    if let text = arguments["connection"] {
      return try OptionSyntax.path(text, of: "connection")
    }
    guard let text = arguments["items"] else {
      throw UsageError("--paging relay needs --connection PATH or --items PATH")
    }
    return JSONPath(try OptionSyntax.path(text, of: "items").segments.dropLast())
  }

  /// Returns the number that the address of the call has at this place.
  private static func number(at place: RequestLocation, in call: Call) -> Int? {
    guard case .query(let name) = place, let url = try? WebURL(call.address) else { return nil }
    return url.queryParams[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  private static func fields(
    _ arguments: Arguments
  ) throws(UsageError) -> [(path: JSONPath, place: RequestLocation)] {
    var fields: [(path: JSONPath, place: RequestLocation)] = []
    for part in OptionSyntax.list(arguments["keyset"] ?? "") {
      guard let equals = part.lastIndex(of: "=") else {
        throw UsageError("--keyset must be PATH=PLACE, as in id=query:after, found “\(part)”")
      }
      let path = try OptionSyntax.path(String(part[..<equals]), of: "keyset")
      let place = try OptionSyntax.place(String(part[part.index(after: equals)...]), of: "keyset")
      fields.append((path, place))
    }
    if fields.isEmpty { throw UsageError("--paging keyset needs --keyset PATH=PLACE") }
    return fields
  }

  private func ends(_ arguments: Arguments) throws(UsageError) -> [EndRule] {
    var ends: [EndRule] = []
    if let rule = try Self.end(arguments["end"]) { ends.append(rule) }
    if let text = arguments["has-next"], text.hasPrefix("!") {
      ends.append(.isLast(try OptionSyntax.source(String(text.dropFirst()), of: "has-next")))
    } else if let place = try source("has-next", arguments) {
      ends.append(.hasNext(place))
    }
    if let place = try source("next-page", arguments) { ends.append(.nextPage(place)) }
    if let place = try source("pages", arguments) { ends.append(.pageCount(place)) }
    if let place = try source("last-page", arguments) { ends.append(.lastPage(place)) }
    if let place = try source("total", arguments) { ends.append(.total(place)) }
    if let status = try arguments.number("end-status", atLeast: 400) {
      ends.append(.status(status))
    }
    return ends
  }

  private static func end(_ text: String?) throws(UsageError) -> EndRule? {
    switch text {
    case nil: return nil
    case "empty": return .emptyPage
    case "repeat": return .repeatedCursor
    case let text?:
      guard text.hasPrefix("cursor:"), text.count > "cursor:".count else {
        throw UsageError(
          "--end must be empty, repeat or cursor:VALUE, as in cursor:0, found “\(text)”")
      }
      let value = text.dropFirst("cursor:".count)
      // A value that is no JSON is a text, as it is in a shell.
      return .cursor((try? JSONAny(parsing: String(value))) ?? .string(String(value)))
    }
  }

  private func source(_ name: String, _ arguments: Arguments) throws(UsageError)
    -> ResponseLocation?
  {
    guard let text = arguments[name] else { return nil }
    return try OptionSyntax.source(text, of: name)
  }

  private func place(_ name: String, _ arguments: Arguments) throws(UsageError) -> RequestLocation? {
    guard let text = arguments[name] else { return nil }
    return try OptionSyntax.place(text, of: name)
  }
}
