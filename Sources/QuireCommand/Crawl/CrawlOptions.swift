internal import Foundation
internal import Quire

/// What a crawl is to do: its options, read and checked against each other.
struct CrawlOptions: Sendable {
  enum Progress: String, Sendable { case auto, always, never }

  var call: Call
  var origin: String
  var items: JSONPath?
  var identity = WalkIdentity.recognised
  var selection: Selection?
  var filter: JSONFilter?
  var paging: Paging
  var format = RowFormat.ndjson
  var progress = Progress.auto
  var showsStats: Bool
  var explains: Bool
  var isQuiet: Bool
  var maxPages: Int
  var maxItems: Int
  var parallel: Int
  var timeout: Duration
  var retries: Int
  var rate: RequestRate?
  var cacheFolder: String?
  var isOffline: Bool
  var tls: CurlTransport.TLS
  var offersHTTP2: Bool
  var resumeFile: String?
  /// What has to be the same for a crawl to go on where another one stopped.
  var signature: String

  init(_ arguments: Arguments) throws(UsageError) {
    try Self.checkContradictions(arguments)
    let address = try Self.address(arguments.operands[0])
    (call, origin) = (Call(address.text), address.origin)
    try Self.read(arguments, into: &call)
    if let text = arguments["items"] { items = try Words.path(text, of: "items") }
    let choice = try PagingChoice(arguments)
    if choice == .relay, items == nil, let text = arguments["connection"] {
      items = try Words.path(text, of: "connection").appending("nodes")
    }
    paging = try choice.paging(arguments, &call)
    if choice == .relay, call.body == nil {
      throw UsageError("--paging relay needs --body with a GraphQL query: {\"query\": …}")
    }
    switch arguments["id"] {
    case nil: break
    case "none": identity = .none
    case let text?: identity = .at(try Words.path(text, of: "id"))
    }
    let selected = arguments.all("select")
    if !selected.isEmpty { selection = try Selection(selected) }
    if let text = arguments["where"] {
      do throws(JSONPathError) {
        filter = try JSONFilter(text)
      } catch {
        throw UsageError("--where: \(error)")
      }
    }
    format = arguments["format"].flatMap(RowFormat.init) ?? .ndjson
    progress = arguments["progress"].flatMap(Progress.init) ?? .auto
    showsStats = arguments.has("stats")
    explains = arguments.has("explain")
    isQuiet = arguments.has("quiet")
    maxPages = try arguments.number("max-pages", atLeast: 1) ?? .max
    maxItems = try arguments.number("max-items", atLeast: 1) ?? .max
    parallel = try arguments.number("parallel", atLeast: 1) ?? 1
    if parallel > 64 { throw UsageError("--parallel is at most 64, found \(parallel)") }
    timeout = try arguments.seconds("timeout") ?? .seconds(60)
    retries = try arguments.number("retries") ?? 2
    rate = try arguments["rate"].map { text throws(UsageError) in try RequestRate(text) }
    cacheFolder = arguments["cache"]
    isOffline = arguments.has("offline")
    offersHTTP2 = !arguments.has("http1")
    tls = try Self.tls(arguments)
    resumeFile = arguments["resume"]
    signature = Self.signature(arguments, address.text)
  }

  private static func checkContradictions(_ arguments: Arguments) throws(UsageError) {
    try arguments.require("cache", for: "offline")
    try arguments.require("cert", for: "key")
    try arguments.forbid("quiet", with: "explain", because: "one says nothing, the other something")
    if arguments.has("quiet"), arguments["progress"] == "always" {
      throw UsageError("--quiet and --progress always contradict each other")
    }
    if arguments.has("resume"), let format = arguments["format"], format != "ndjson",
      format != "csv"
    {
      throw UsageError(
        "--resume and --format \(format) contradict each other: only ndjson and csv can be"
          + " appended to")
    }
  }

  /// The address as a call takes it, and the origin it leads to.
  private static func address(
    _ text: String
  ) throws(UsageError) -> (text: String, origin: String) {
    let text = text.contains("://") ? text : "https://" + text
    do throws(RequestError) {
      return (text, "\(try WebURL(text).origin)")
    } catch {
      guard case .invalidRequest(let defect) = error.kind else {
        throw UsageError("the address can't be read")
      }
      throw UsageError("the address “\(text)” can't be read: \(defect.problem)")
    }
  }

  /// Method, body and fields.
  private static func read(_ arguments: Arguments, into call: inout Call) throws(UsageError) {
    call.name = "page"
    if let text = arguments["body"] {
      let bytes = try bodyBytes(text)
      do throws(JSONError) {
        _ = try JSONDocument(bytes)
      } catch {
        throw UsageError("--body is JSON: \(error)")
      }
      call.body = .bytes(bytes, contentType: "application/json")
      call.method = .post
    }
    if let method = arguments["method"] { call.method = HTTPMethod(rawValue: method.uppercased()) }
    for text in arguments.all("header") {
      guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
        throw UsageError("--header is 'NAME: VALUE', found “\(text.prefix(20))”")
      }
      let value = String(text[text.index(after: colon)...]).trimmingBlanks
      call.headers.add(String(text[..<colon]).trimmingBlanks, value)
    }
    if call.headers["Accept"] == nil {
      call.headers["Accept"] = "application/json, application/*+json;q=0.9, */*;q=0.1"
    }
    if call.headers["User-Agent"] == nil { call.headers["User-Agent"] = "quire" }
  }

  private static func bodyBytes(_ text: String) throws(UsageError) -> [UInt8] {
    guard text.hasPrefix("@") else { return Array(text.utf8) }
    let path = String(text.dropFirst())
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("the file \(path) of --body can't be read")
    }
    return Array(data)
  }

  private static func tls(_ arguments: Arguments) throws(UsageError) -> CurlTransport.TLS {
    for name in ["cacert", "cert", "key"] {
      if let path = arguments[name], !FileManager.default.isReadableFile(atPath: path) {
        throw UsageError("the file \(path) of --\(name) can't be read")
      }
    }
    var tls = CurlTransport.TLS()
    if let path = arguments["cacert"] { tls.authorities = .file(path) }
    if let path = arguments["cert"] {
      tls.clientCertificate = .init(certificate: path, key: arguments["key"] ?? path)
    }
    return tls
  }

  private static func signature(_ arguments: Arguments, _ address: String) -> String {
    let names = [
      "items", "id", "select", "where", "paging", "page-param", "first-page", "pages", "next-page",
      "last-page", "offset-param", "first-offset", "limit-param", "size-param", "size", "cursor",
      "cursor-into", "next", "next-base", "keyset", "connection", "unit", "has-next", "total",
      "end-status",
      "method", "body", "format",
    ]
    let words = names.flatMap { name in arguments.all(name).map { "--\(name) \(Words.quoted($0))" }
    }
    let shown = (try? WebURL(address)).map { Redaction().url($0) } ?? address
    return ([Words.quoted(shown)] + words).joined(separator: " ")
  }
}
