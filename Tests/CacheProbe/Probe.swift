import Foundation
import Quire

/// Makes the exchanges that another program requests, through a server with a cache. A suite of cache tests
/// drives the cache through it. Its help describes its use, input and output.
@main struct Probe {
  static let help = """
    Makes exchanges through a server with a cache, for suites that test caches.

    Usage: swift run -q CacheProbe [--cache FOLDER]

    --cache FOLDER  store responses in this folder; without it they are kept in memory

    Reads one JSON object per line from standard input and writes one per line to standard output,
    in the order in which exchanges end. Exits at the end of its input.

    Input:
      id         any value; the output repeats it
      url        the address
      method     the method; GET if missing
      headers    an array of ["name", "value"]
      body       a text
      timeoutMs  the timeout of the exchange
      cacheMode  default, no-store, reload, no-cache, force-cache or only-if-cached, as in the
                 Fetch standard
      redirect   "manual" returns a redirect instead of following it
    Output: id, status, headers, body, interim (an array of [status, headers]), fromCache, and error,
    which is null or a text.

    """

  private let server: Server
  private let output = LineWriter()

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case nil: await Probe(folder: nil).run()
    case "--cache" where arguments.count == 2: await Probe(folder: arguments[1]).run()
    case "--help", "-h": print(help, terminator: "")
    default:
      FileHandle.standardError.write(Data("CacheProbe: invalid arguments; see --help\n".utf8))
      exit(2)
    }
  }

  /// Without a folder, responses are kept in memory.
  init(folder: String?) {
    server = Server("http://localhost") {
      $0.cache = folder.map { .disk(at: URL(filePath: $0)) } ?? .memory()
      // All exchanges belong to one user, as in a browser.
      $0.cachePartition = "probe"
      $0.retry = .never
      $0.redirects.allowsDowngrade = true
      // Responses must show the body as received.
      $0.headers["Accept-Encoding"] = "identity"
      $0.sharesReads = false
    }
  }

  func run() async {
    await withDiscardingTaskGroup { group in
      for await line in Self.lines() {
        group.addTask { await output.write(await response(to: line)) }
      }
    }
    await server.cache?.store.flush()
  }

  /// The lines of standard input, as they arrive.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { continuation in
      let reader = Thread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
      reader.start()
    }
  }

  private func response(to line: String) async -> String {
    var reply: [(String, JSONAny)] = []
    do {
      let request = try JSONAny(parsing: line)
      reply.append(("id", request["id"] ?? .null))
      reply += try await exchange(ProbeRequest(request))
    } catch {
      reply.append(("error", .string("\(error)")))
    }
    return JSONAny.object(JSONAny.Object(reply)).text()
  }

  private func exchange(_ request: ProbeRequest) async throws -> [(String, JSONAny)] {
    let response = try await server.with { configuration in
      if request.isManual { configuration.redirects.maximum = 0 }
    }.send(request.call)
    return [
      ("status", .int(response.status)),
      ("headers", Self.json(response.headers)),
      ("body", .string(response.body.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })),
      (
        "interim",
        .array(
          response.interim.map { .array([.int($0.status), Self.json($0.headers.lowercased)]) })
      ),
      ("fromCache", .bool(response.source.isCache)), ("error", .null),
    ]
  }

  private static func json(_ headers: HTTPHeaders) -> JSONAny {
    .array(headers.fields.map { .array([.string($0.name), .string($0.value)]) })
  }
}

extension HTTPHeaders {
  /// The fields as HTTP/2 writes them.
  fileprivate var lowercased: HTTPHeaders {
    HTTPHeaders(fields.map { Field(name: $0.name.lowercased(), value: $0.value) })
  }
}

/// One line of the input.
struct ProbeRequest {
  var call: Call
  /// Whether a redirect is returned instead of followed.
  var isManual: Bool

  init(_ json: JSONAny) throws {
    guard let url = json["url"]?.string else { throw ProbeError("“url” is missing") }
    call = Call(url, method: HTTPMethod(rawValue: json["method"]?.string ?? "GET"))
    for field in json["headers"]?.array ?? [] {
      guard let name = field[0]?.string, let value = field[1]?.string else {
        throw ProbeError("a header is \(field), expected [\"name\", \"value\"]")
      }
      call.headers.add(name, value)
    }
    if let body = json["body"]?.string { call.body = .bytes(Array(body.utf8)) }
    if let timeout = json["timeoutMs"]?.double {
      call.timeouts = HTTPRequest.Timeouts(total: .milliseconds(timeout))
    }
    call.cache = try Self.mode(json["cacheMode"]?.string ?? "default")
    call.acceptsErrorStatuses = true
    isManual = json["redirect"]?.string == "manual"
  }

  private static func mode(_ name: String) throws -> CacheMode {
    switch name {
    case "default": .standard
    case "no-store": .noStore
    case "reload": .reload
    case "no-cache": .revalidate
    case "force-cache": .cacheElseNetwork
    case "only-if-cached": .cacheOnly
    default: throw ProbeError("“cacheMode” is “\(name)”, expected one of the Fetch standard")
    }
  }
}

/// An error in a line of the input.
struct ProbeError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Writes complete lines to standard output, from any task.
private actor LineWriter {
  func write(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
