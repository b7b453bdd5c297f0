internal import Quire
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The list and how to request it, parsed from the options that all commands share and checked against each
/// other.
struct ListOptions: Sendable {
  /// The call that every page is based on.
  var call: Call
  /// Whether https:// was added to the address.
  var isSchemeAdded: Bool
  /// The origin of the address.
  var origin: String
  /// The path of the rows in a page; `nil` to detect it.
  var items: JSONPath?
  var identity = PageWalk.Identity.recognized
  var filter: JSONFilter?
  var failures = FailureWords()
  var paging: Paging
  var allowsOtherOrigins: Bool
  var timeout: Duration
  var retries: Int
  /// The maximum number of retries per second.
  var retryRate: Int?
  /// The memory that all pages in flight may take, in bytes.
  var memory: Int
  /// How long a page waits for a limit of the server.
  var wait: Duration?
  var rate: RequestRate?
  var cacheFolder: String?
  var isOffline: Bool
  let connection: ConnectionOptions
  /// The source of credentials, if a command prints them.
  var authentication: Authentication?

  init(_ arguments: Arguments) throws(UsageError) {
    try arguments.require("cache", for: "offline")
    try arguments.require("cert", for: "key")
    try Self.checkForm(arguments)
    isSchemeAdded = !arguments.operands[0].contains("://")
    (call, origin) = try Self.call(arguments)
    authentication = try Self.authentication(arguments, call)
    if arguments.has("cache"), call.method != .get {
      throw UsageError(
        "--cache can't be used with \(call.method): only responses to GET are cached")
    }
    if let text = arguments["items"] { items = try OptionSyntax.path(text, of: "items") }
    let choice = try PagingChoice(arguments)
    if choice == .relay, items == nil, let text = arguments["connection"] {
      items = try OptionSyntax.path(text, of: "connection").appending("nodes")
    }
    paging = try choice.paging(arguments, &call)
    allowsOtherOrigins = arguments.has("allow-other-origin")
    if choice == .relay, call.body == nil {
      throw UsageError("--paging relay needs --body with a GraphQL query: {\"query\": …}")
    }
    switch arguments["id"] {
    case nil: break
    case "none": identity = .none
    case let text?: identity = .by(try OptionSyntax.path(text, of: "id"))
    }
    filter = try Self.filter(arguments)
    failures = try Self.failures(arguments)
    timeout = try arguments.seconds("timeout") ?? .seconds(60)
    retries = try arguments.number("retries") ?? 2
    retryRate = try arguments.number("retry-rate", atLeast: 1)
    wait = try arguments.seconds("wait")
    memory = try arguments.bytes("max-memory") ?? 64 << 20
    rate = try arguments["rate"].map { text throws(UsageError) in try RequestRate(text) }
    cacheFolder = arguments["cache"]
    if cacheFolder == "" { throw UsageError("--cache needs the name of a folder") }
    isOffline = arguments.has("offline")
    connection = try ConnectionOptions(arguments)
  }

  private static func filter(_ arguments: Arguments) throws(UsageError) -> JSONFilter? {
    guard let text = arguments["where"] else { return nil }
    do throws(JSONPath.ParsingError) {
      return try JSONFilter(text)
    } catch {
      throw UsageError("--where: \(error)")
    }
  }

  private static func failures(_ arguments: Arguments) throws(UsageError) -> FailureWords {
    var words = arguments.all("no-failure").contains("all") ? FailureWords.none : FailureWords()
    for name in arguments.all("no-failure") where name != "all" {
      guard FailureWords.isUsual(name) else {
        throw UsageError(
          "--no-failure: no failure is read from “\(name)”; use the name of a member such as status, errors or timed_out"
        )
      }
      words.remove(name)
    }
    for text in arguments.all("failure") {
      guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
        throw UsageError("--failure must be PATH=VALUE, as in code=7, found “\(text)”")
      }
      words.add(
        try OptionSyntax.path(String(text[..<equals]), of: "failure"),
        String(text[text.index(after: equals)...]))
    }
    return words
  }
}

// MARK: - The call

extension ListOptions {
  /// Returns the call with address, method, body and headers, and the origin of the address.
  private static func call(
    _ arguments: Arguments
  ) throws(UsageError) -> (call: Call, origin: String) {
    let (address, origin) = try address(arguments.operands[0])
    var call = Call(address)
    call.name = "page"
    // A command that reads a list may send a page's request again, whatever its method is.
    call.onlyReads = true
    if let text = arguments["body"] {
      let bytes = try bodyBytes(text)
      do throws(JSONError) {
        _ = try JSONDocument(bytes)
      } catch {
        // Leave out the excerpt in the error, which can contain a password.
        throw UsageError(
          "--body is not valid JSON: expected \(error.expected) at line \(error.line),"
            + " column \(error.column)")
      }
      call.body = .bytes(bytes, contentType: "application/json")
      call.method = .post
    }
    let fields = try formFields(arguments)
    if !fields.isEmpty {
      call.body = .form(
        Params(fields.map { Params.Item(name: $0.name, value: .one(.text($0.value))) }))
      call.method = .post
    }
    if let method = arguments["method"] { call.method = HTTPMethod(rawValue: method.uppercased()) }
    for text in try headers(arguments) {
      guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
        throw UsageError("--header must be 'NAME: VALUE': the name or the colon is missing")
      }
      let value = String(text[text.index(after: colon)...].withoutBlanks)
      call.headers.add(String(text[..<colon].withoutBlanks), value)
    }
    if call.headers["Accept"] == nil {
      call.headers["Accept"] = "application/json, application/*+json;q=0.9, */*;q=0.1"
    }
    if call.headers["User-Agent"] == nil { call.headers["User-Agent"] = "quire" }
    return (call, origin)
  }

  /// Returns the address with a scheme, and its origin.
  private static func address(
    _ text: String
  ) throws(UsageError) -> (text: String, origin: String) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    if ["http", "https"].contains(scheme), !text.contains("://") {
      throw UsageError("the address must begin with \(scheme)://")
    }
    let text = text.contains("://") ? text : "https://" + text
    do throws(RequestError) {
      return (text, "\(try WebURL(text).origin)")
    } catch {
      guard case .invalidRequest(let defect) = error.kind else {
        throw UsageError("invalid address")
      }
      // A password can contain any character, so mask everything before the last @.
      let shown =
        text.lastIndex(of: "@").map { "\(scheme)://\(Redaction.marker)\(text[$0...])" } ?? text
      throw UsageError(
        "the address “\(Redaction().text(shown))” \(defect.problem)")
    }
  }

  private static func bodyBytes(_ text: String) throws(UsageError) -> [UInt8] {
    guard text.hasPrefix("@") else { return Array(text.utf8) }
    let path = String(text.dropFirst())
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("--body: the file \(path) can't be read")
    }
    return Array(data)
  }
}

// MARK: - Headers

extension ListOptions {
  /// Returns the values of an option, and in place of `@FILE` the lines of the file.
  static func lines(of option: String, _ arguments: Arguments) throws(UsageError) -> [String] {
    var lines: [String] = []
    for text in arguments.all(option) {
      guard text.hasPrefix("@") else {
        lines.append(text)
        continue
      }
      let path = String(text.dropFirst())
      guard let data = FileManager.default.contents(atPath: path),
        let content = String(validating: data, as: UTF8.self)
      else { throw UsageError("--\(option): the file \(path) can't be read as text") }
      lines += content.split(whereSeparator: \.isNewline).map(String.init).filter {
        !$0.allSatisfy(\.isWhitespace)
      }
    }
    return lines
  }

  /// Returns the header lines of `--header`, also those in files, and that of `--token-env`.
  static func headers(_ arguments: Arguments) throws(UsageError) -> [String] {
    let lines = try lines(of: "header", arguments)
    guard let name = arguments["token-env"] else { return lines }
    guard let token = ProcessInfo.processInfo.environment[name], !token.isEmpty else {
      throw UsageError("--token-env: the environment has no variable \(name), or it is empty")
    }
    if lines.contains(where: { $0.lowercased().hasPrefix("authorization:") }) {
      throw UsageError("--token-env and a header Authorization can't be used together; remove one")
    }
    return lines + ["Authorization: Bearer \(token)"]
  }
}
