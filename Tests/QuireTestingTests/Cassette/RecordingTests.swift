import FoundationEssentials
import QuireTesting
import ServerAPI
import Support
import Testing

@Suite struct RecordingTests {
  let file = TemporaryFile()

  @Test func `recorded exchanges replay`() async throws {
    let base = MockTransport { request in .json("[\(request.query["page"] ?? "")]") }
    let recording = RecordingTransport(wrapping: base, to: file.path)
    _ = try await recording.send(request("/books?page=1"))
    _ = try await recording.send(request("/books?page=2"))

    let replay = ReplayTransport(try Cassette(path: file.path), mode: .strict)
    let first = try await replay.send(request("/books?page=1"))
    #expect(first.status == 200)
    #expect(first.headers["Content-Type"] == "application/json")
    #expect(first.body.utf8Text == "[1]")
    #expect(try await replay.send(request("/books?page=2")).body.utf8Text == "[2]")
  }

  @Test func `the file has the documented format`() async throws {
    let base = MockTransport { _ in .bytes([0xFF, 0]) }
    var call = try request("/a", .post)
    call.headers = ["Accept": "x/y"]
    call.body = .text("hi")
    _ = try await RecordingTransport(wrapping: base, to: file.path).send(call)
    #expect(
      try file.text() == """
        {
          "exchanges" : [
            {
              "request" : {
                "body" : {
                  "text" : "hi"
                },
                "headers" : [
                  [
                    "Accept",
                    "x/y"
                  ]
                ],
                "method" : "POST",
                "url" : "https://test/a"
              },
              "response" : {
                "body" : {
                  "base64" : "/wA="
                },
                "headers" : [
                  [
                    "Content-Type",
                    "application/octet-stream"
                  ]
                ],
                "status" : 200
              }
            }
          ],
          "format" : "quire-cassette",
          "version" : 1
        }

        """)
  }

  @Test func `no secret reaches the file`() async throws {
    let base = MockTransport { _ in
      .json(
        #"{"access_token": "S3CRET", "user": {"password": ["S3CRET", {"x": 1}], "name": "Ann"}}"#
      )
      .headers(["Set-Cookie": "id=S3CRET"])
    }
    let recording = RecordingTransport(wrapping: base, to: file.path)
    var json = try request("/a?api_key=S3CRET&page=2", .post)
    json.headers = ["Authorization": "Bearer S3CRET", "Cookie": "S3CRET", "X-Api-Key": "S3CRET"]
    json.body = .bytes(#"{"client_secret":"S3\"CRET","n":1}"#.utf8, contentType: "application/json")
    _ = try await recording.send(json)
    var form = try request("/b", .post)
    form.body = .bytes(
      "user=ann&password=S3CRET".utf8, contentType: "application/x-www-form-urlencoded")
    _ = try await recording.send(form)

    let text = try file.text()
    #expect(!text.contains("S3CRET"))
    #expect(!text.contains(#"S3\"#))
    #expect(text.contains("page=2"))
    #expect(text.contains("user=ann&password="))
    #expect(text.contains(#"\"name\": \"Ann\""#))
    // Requests with the same secrets, or others, still find their response.
    let replay = ReplayTransport(try Cassette(path: file.path), mode: .byKey)
    #expect(try await replay.send(json).status == 200)
    #expect(try await replay.send(form).status == 200)
  }

  @Test(arguments: ["\u{FEFF}", ")]}',\n", "callback("])
  func `no secret reaches the file from JSON with an unusual start`(
    prefix: String
  ) async throws {
    let base = MockTransport { _ in .json(prefix + #"{"access_token": "S3CRET", "id": 7}"#) }
    _ = try await RecordingTransport(wrapping: base, to: file.path).send(request("/a"))
    let text = try file.text()
    #expect(!text.contains("S3CRET") && text.contains("7"))
  }

  @Test func `no secret reaches the file from bodies of other kinds`() async throws {
    let base = MockTransport { _ in .text("see https://u:S3CRET@host/?access_token=S3CRET&page=7") }
    let recording = RecordingTransport(wrapping: base, to: file.path)
    var upload = try request("/a", .post)
    upload.body = try .multipart([.field("password", "S3CRET")])
    _ = try await recording.send(upload)
    let text = try file.text()
    #expect(!text.contains("S3CRET") && text.contains("page=7"))
    let replay = ReplayTransport(try Cassette(path: file.path), mode: .byKey)
    #expect(try await replay.send(upload).status == 200)
  }

  @Test func `a body sent to a receiver is recorded too`() async throws {
    let base = MockTransport(pieceSize: 2) { _ in .text("abcde") }
    let seen = Lock("")
    var call = try request("/")
    call.receiver = { piece in seen.withLock { $0 += piece.utf8Text ?? "" } }
    _ = try await RecordingTransport(wrapping: base, to: file.path).send(call)
    #expect(seen.withLock { $0 } == "abcde")
    #expect(try Cassette(path: file.path).exchanges.first?.response.body == .text("abcde"))
  }

  @Test func `exchanges are in the order of requests, not of responses`() async throws {
    let gate = Gate()
    let base = MockTransport { request in
      request.url.path == "/slow" ? .text("1").held(by: gate) : .text("2")
    }
    let recording = RecordingTransport(wrapping: base, to: file.path)
    let slow = Task { try await recording.send(request("/slow")) }
    await gate.reached()
    _ = try await recording.send(request("/quick"))
    gate.open()
    _ = try await slow.value
    #expect(
      try Cassette(path: file.path).exchanges.map(\.request.url)
        == ["https://test/slow", "https://test/quick"])
  }

  @Test func `a failed exchange is not recorded`() async throws {
    let base = MockTransport()
    base.enqueue(.failure(.offline), .status(204))
    let recording = RecordingTransport(wrapping: base, to: file.path)
    await expect(.offline) { try await recording.send(request("/")) }
    _ = try await recording.send(request("/"))
    #expect(try Cassette(path: file.path).exchanges.map(\.response.status) == [204])
  }

  @Test func `a file that can't be written is an error that names it`() async throws {
    let recording = RecordingTransport(
      wrapping: MockTransport { _ in .status(204) }, to: "/nowhere/at/all.json")
    let error = await #expect(throws: RequestError.self) { try await recording.send(request("/")) }
    guard case .unusable(let text) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.hasPrefix("the cassette /nowhere/at/all.json: can't write it"))
  }
}

/// An unused path; the file that a test puts there is removed with this object.
final class TemporaryFile: Sendable {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "quire-\(UUID().uuidString).json").path

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}
