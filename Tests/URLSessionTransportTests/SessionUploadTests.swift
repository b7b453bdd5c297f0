import Foundation
import QuireTesting
import ServerAPI
import Testing

@testable import URLSessionTransport

@Suite struct SessionUploadTests {
  private static let limit = SessionUpload.memoryLimit

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
  }

  private func withFile<Value>(_ bytes: [UInt8], _ body: (String) async throws -> Value) async throws -> Value {
    let url = FileManager.default.temporaryDirectory.appending(path: "quire-\(UUID()).test")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url.path)
  }

  @Test func `a large file is sent whole, with its length and without a copy`() async throws {
    let content = Self.bytes(3 * Self.limit)
    let server = try LoopbackServer { _ in .status(204) }
    try await withFile(content) { path in
      let body = try RequestBody.file(path: path)
      guard case .file(let url) = try await SessionUpload.prepare(body) else {
        Issue.record("the file is copied")
        return
      }
      #expect(url.path == path)
      let request = HTTPRequest(.put, try WebURL(server.baseURL), body: body)
      let response = try await URLSessionTransport().send(request)
      #expect(response.timings.sentBytes == content.count)
    }
    let arrived = try #require(server.requests.first)
    #expect(arrived.body == content)
    #expect(arrived.header("Content-Length") == "\(content.count)")
    #expect(arrived.header("Transfer-Encoding") == nil)
    #expect(arrived.header("Expect") == nil)
  }

  @Test func `a form with a large file is sent from one temporary file, which is removed`() async throws {
    let server = try LoopbackServer { _ in .status(204) }
    try await withFile(Self.bytes(2 * Self.limit)) { path in
      let form = try RequestBody.multipart([.field("name", "value"), .file("photo", path: path)])
      var upload: SessionUpload? = try await SessionUpload.prepare(form)
      guard case .temporary(let file)? = upload else {
        Issue.record("\(String(describing: upload))")
        return
      }
      let written = file.url.path
      #expect(try [UInt8](Data(contentsOf: file.url)) == form.bytes())
      let permissions = try FileManager.default.attributesOfItem(atPath: written)[.posixPermissions]
      #expect(permissions as? Int == 0o600)
      try await send(form, to: server)
      upload = nil
      _ = consume file
      #expect(!FileManager.default.fileExists(atPath: written))
    }
  }

  private func send(_ body: RequestBody, to server: LoopbackServer) async throws {
    _ = try await URLSessionTransport().send(HTTPRequest(.post, try WebURL(server.baseURL), body: body))
    #expect(try server.requests.last?.body == body.bytes())
    #expect(server.requests.last?.header("Content-Length") == "\(body.length)")
  }

  @Test func `a file that has grown is sent up to the length of the body`() async throws {
    let server = try LoopbackServer { _ in .status(204) }
    try await withFile(Self.bytes(2 * Self.limit)) { path in
      let body = RequestBody(pieces: [.file(path: path, length: Self.limit + 1)], contentType: "x/y")
      try await send(body, to: server)
    }
  }

  @Test(arguments: [10, 3 * SessionUpload.memoryLimit])
  func `a file that has become shorter is rejected before anything is sent`(length: Int) async throws {
    let server = try LoopbackServer { _ in .status(204) }
    try await withFile([1, 2, 3]) { path in
      let body = RequestBody(pieces: [.file(path: path, length: length)], contentType: nil)
      let request = HTTPRequest(.put, try WebURL(server.baseURL), body: body)
      let error = await #expect(throws: RequestError.self) {
        _ = try await URLSessionTransport().send(request)
      }
      guard case .invalidRequest(let defect) = error?.kind else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(defect.place == .body)
    }
    #expect(server.requestCount == 0)
  }

  @Test func `a body without a content type gets none`() async throws {
    let server = try LoopbackServer { _ in .status(204) }
    let body = RequestBody(pieces: [.bytes([1, 2, 3])], contentType: nil)
    try await send(body, to: server)
    #expect(server.requests.last?.header("Content-Type") == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an upload that is cancelled on its way ends at once`() async throws {
    let gate = try LoopbackGate()
    defer { gate.open() }
    // The body stays unread.
    let server = try LoopbackServer { _ in .status(204).early().held(by: gate) }
    try await withFile([UInt8](repeating: 0, count: 16 * Self.limit)) { path in
      var request = HTTPRequest(.put, try WebURL(server.baseURL), body: try .file(path: path))
      (request.timeouts.idle, request.timeouts.total) = (.seconds(3_600), .seconds(3_600))
      let sent = request
      let call = Task { try await URLSessionTransport().send(sent) }
      await gate.reached()
      call.cancel()
      let error = await #expect(throws: RequestError.self) { _ = try await call.value }
      #expect(error?.kind == .cancelled(.byCaller))
    }
  }
}
