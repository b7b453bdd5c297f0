internal import Foundation
internal import Quire

/// Makes the exchanges that others ask for, through a server whose cache is on: how a suite of tests
/// drives the cache.
///
/// Reads a JSON object a line from standard input and writes one a line to standard output, in the order
/// in which exchanges end; `id` tells which answer belongs to which question.
struct Probe {
  private let server: Server
  private let output = LineWriter()

  /// `folder` is where to keep what is stored; without it, that is memory.
  init(folder: String?) {
    let store: any CacheStore = folder.map { SQLiteCacheStore(folder: $0) } ?? MemoryCacheStore()
    server = Server("http://localhost") {
      $0.cache = HTTPCache(store)
      // All exchanges are those of one user, as they are in a browser.
      $0.cachePartition = "probe"
      $0.retry = .never
      $0.redirects.allowsDowngrade = true
      // A body is to be shown as it came.
      $0.headers["Accept-Encoding"] = "identity"
      $0.sharesReads = false
    }
  }

  func run() async {
    await withDiscardingTaskGroup { group in
      for await line in Self.lines() {
        group.addTask { await output.write(await answer(to: line)) }
      }
    }
    await server.cache?.store.flush()
  }

  /// The lines of standard input, as they come.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { continuation in
      let reader = Thread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
      reader.start()
    }
  }

  private func answer(to line: String) async -> String {
    var reply: [(String, JSONAny)] = []
    do {
      let question = try JSONAny(parsing: line)
      reply.append(("id", question["id"] ?? .null))
      reply += try await exchange(ProbeQuestion(question))
    } catch {
      reply.append(("error", .string("\(error)")))
    }
    return JSONAny.object(JSONObject(reply)).text()
  }

  private func exchange(_ question: ProbeQuestion) async throws -> [(String, JSONAny)] {
    let response = try await server.with { configuration in
      if question.isManual { configuration.redirects.maximum = 0 }
    }.send(question.call)
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

/// One line of what is asked.
struct ProbeQuestion {
  var call: Call
  /// Whether a redirect is to be shown and not followed.
  var isManual: Bool

  init(_ json: JSONAny) throws {
    guard let url = json["url"]?.string else { throw CommandError("“url” is missing") }
    call = Call(url, method: HTTPMethod(rawValue: json["method"]?.string ?? "GET"))
    for field in json["headers"]?.array ?? [] {
      guard let name = field[0]?.string, let value = field[1]?.string else {
        throw CommandError("a header is \(field), expected [\"name\", \"value\"]")
      }
      call.headers.add(name, value)
    }
    if let body = json["body"]?.string { call.body = .bytes(Array(body.utf8)) }
    if let timeout = json["timeoutMs"]?.double {
      call.timeouts = Timeouts(total: .milliseconds(timeout))
    }
    call.cache = try Self.mode(json["cacheMode"]?.string ?? "default")
    call.takesAnyStatus = true
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
    default: throw CommandError("“cacheMode” is “\(name)”, expected one of the Fetch standard")
    }
  }
}

/// Writes whole lines to standard output, whoever they come from.
private actor LineWriter {
  func write(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
