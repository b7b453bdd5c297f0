internal import ServerAPI
internal import Support

extension TransportConformance {
  static let requestCases: [Case] = [
    Case("method and URL arrive unchanged") { probe in
      for method in ["GET", "DELETE", "OPTIONS", "PROPFIND", "QUERY"] {
        let exchange = try await probe.exchange()
        let url = try exchange.url.resolving("a%2Fb/c%20d;e?x=%26&y=a+b&z=%C3%A4&empty=")
        let method = HTTPMethod(rawValue: method)
        _ = try await probe.transport.send(HTTPRequest(method, url))
        let arrived = try exchange.requests()
        try probe.expect("methods", arrived.map(\.method), [method.rawValue])
        try probe.expect("targets", arrived.map(\.target), [url.target])
      }
    },
    Case("header fields arrive unchanged and in order") { probe in
      let exchange = try await probe.exchange()
      let sent: HTTPHeaders = [
        "X-One": "1", "Authorization": "Bearer a.b-c~d", "x-two": "ä, \"q\" ; é", "X-One": "again",
        "Accept": "application/json", "X-Last": "a\tb",
      ]
      _ = try await probe.transport.send(probe.request(exchange) { $0.headers = sent })
      let names = Set(sent.fields.map { $0.name.lowercased() })
      let arrived = try exchange.requests().first?.headers ?? []
      try probe.expect(
        "fields", arrived.filter { names.contains($0.name.lowercased()) }.map(Self.line),
        sent.fields.map(Self.line))
    },
    Case("nothing that identifies the caller is added") { probe in
      let exchange = try await probe.exchange { $0.headers = ["Set-Cookie": "id=1; Path=/"] }
      for _ in 0..<2 { _ = try await probe.transport.send(probe.request(exchange)) }
      let names = Set(try exchange.requests().flatMap(\.headers).map { $0.name.lowercased() })
      let added = names.intersection([
        "authorization", "proxy-authorization", "cookie", "referer", "from",
      ])
      try probe.check(added.isEmpty, "added headers: \(added.sorted())")
    },
    Case("credentials of one request don't reach the next one") { probe in
      let exchange = try await probe.exchange {
        $0.status = 401
        $0.headers = ["WWW-Authenticate": "Basic realm=\"x\""]
      }
      let first = probe.request(exchange) { $0.headers = ["Authorization": "Basic YTpi"] }
      try probe.expect("status", try await probe.transport.send(first).status, 401)
      try probe.expect(
        "status", try await probe.transport.send(probe.request(exchange)).status, 401)
      let sent = try exchange.requests().map { $0.headers.filter { $0.name == "Authorization" } }
      try probe.expect("requests with credentials", sent.map(\.count), [1, 0])
    },
    Case("an invalid method never reaches the wire") { probe in
      for method in ["", "GET / HTTP/1.1\r\nHost: evil", "GE T", "GET\0"] {
        let exchange = try await probe.exchange()
        let request = probe.request(exchange, HTTPMethod(rawValue: method))
        try await probe.expectRefusal(of: request, at: [.method], exchange)
      }
    },
    Case("a line break or NUL in a field never reaches the wire") { probe in
      for bad in ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b"] {
        let exchange = try await probe.exchange()
        try await probe.expectRefusal(
          of: probe.request(exchange) { $0.headers = ["X-A": bad] }, at: [.headerValue("X-A")],
          exchange)
        try await probe.expectRefusal(
          of: probe.request(exchange) { $0.headers = [bad: "1"] }, at: [.headerName], exchange)
      }
    },
    Case("an upload arrives byte for byte, files included") { probe in
      let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
      let file = try ScratchFile(bytes)
      let exchange = try await probe.exchange()
      let body = RequestBody(
        pieces: [.bytes([0, 13, 10]), .file(path: file.path, length: 90_000), .bytes([255])],
        contentType: "x/y")
      let response = try await probe.transport.send(
        probe.request(exchange, .post) {
          $0.body = body
          $0.headers["Content-Type"] = "x/y"
        })
      let arrived = try exchange.requests().first?.body ?? []
      try probe.expectBytes("body", arrived, [0, 13, 10] + bytes.prefix(90_000) + [255])
      try probe.expect("sent bytes", response.timings.sentBytes, body.length)
    },
    Case("an empty upload is sent") { probe in
      let exchange = try await probe.exchange()
      _ = try await probe.transport.send(
        probe.request(exchange, .put) { $0.body = .bytes([]) })
      try probe.expect("bodies", try exchange.requests().map(\.body), [[]])
    },
    Case("concurrent requests each get their own response") { probe in
      let exchange = try await probe.exchange { $0.body = .echo }
      let urls = try (0..<100).map { try exchange.url.resolving("?n=\($0)") }
      let wrong = await withTaskGroup(of: String?.self) { group in
        for url in urls {
          group.addTask { [transport = probe.transport] in
            do throws(RequestError) {
              let text = try await transport.send(HTTPRequest(.get, url)).body.utf8Text
              return text == url.target ? nil : "\(url.target) got \(text ?? "no text")"
            } catch {
              return "\(url.target) got \(error.kind)"
            }
          }
        }
        return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
      }
      try probe.check(wrong.isEmpty, wrong.joined(separator: ", "))
    },
  ]

  private static func line(_ field: HTTPHeaders.Field) -> String {
    "\(field.name.lowercased()): \(field.value)"
  }
}

extension ConformanceProbe {
  /// Expects an error that names the defect, and no request on the wire.
  func expectRefusal(
    of request: HTTPRequest, at places: [RequestError.Defect.Place], _ exchange: ConformanceExchange
  ) async throws {
    try await expectFailure(of: request, "invalidRequest at \(places)") { kind in
      guard case .invalidRequest(let defect) = kind else { return false }
      return places.contains(defect.place)
    }
    try expect("requests that arrived", try exchange.requests().count, 0)
  }
}

/// A temporary file, which is removed with this object.
final class ScratchFile: Sendable {
  let path: String

  init(_ bytes: [UInt8]) throws {
    var template = Array("/tmp/quire-upload-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw ConformanceUnavailable("can't create a file in /tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { close(descriptor) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw ConformanceUnavailable("can't write \(path)")
    }
  }

  deinit { unlink(path) }
}
