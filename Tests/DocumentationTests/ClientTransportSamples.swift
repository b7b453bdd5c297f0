import Foundation
import Quire
import QuireTesting
import Testing

// Stand-ins with the shape of the modules that a generated client uses.

enum HTTPTypes {
  struct HTTPField: Sendable {
    struct Name: Sendable {
      var rawName: String

      init?(_ name: String) { rawName = name }
    }

    var name: Name
    var value: String
  }

  struct HTTPFields: Sequence, Sendable {
    private var fields: [HTTPField] = []

    mutating func append(_ field: HTTPField) { fields.append(field) }
    func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }
  }

  struct HTTPRequest: Sendable {
    struct Method: Sendable { var rawValue: String }

    var method: Method
    var path: String?
    var headerFields = HTTPFields()
  }

  struct HTTPResponse: Sendable {
    struct Status: Sendable { var code: Int }

    var status: Status
    var headerFields = HTTPFields()
  }
}

struct HTTPBody: AsyncSequence, Sendable {
  var chunks: [[UInt8]]

  init(_ bytes: [UInt8]) { chunks = [bytes] }

  func makeAsyncIterator() -> AsyncStream<ArraySlice<UInt8>>.Iterator {
    AsyncStream { stream in
      for chunk in chunks { stream.yield(chunk[...]) }
      stream.finish()
    }.makeAsyncIterator()
  }
}

protocol ClientTransport: Sendable {
  func send(
    _ request: HTTPTypes.HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPTypes.HTTPResponse, HTTPBody?)
}

struct ServerTransport: ClientTransport {
  var server: Server

  func send(
    _ request: HTTPTypes.HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPTypes.HTTPResponse, HTTPBody?) {
    let method = HTTPMethod(rawValue: request.method.rawValue)
    var call = Call(baseURL.absoluteString + (request.path ?? ""), method: method)
    call.name = operationID
    call.acceptsErrorStatuses = true
    for field in request.headerFields { call.headers.add(field.name.rawName, field.value) }
    if let body {
      var bytes: [UInt8] = []
      for try await chunk in body { bytes += chunk }
      call.body = .bytes(bytes)
    }
    let response = try await server.send(call)
    var result = HTTPTypes.HTTPResponse(status: .init(code: response.status))
    for field in response.headers.fields {
      guard let name = HTTPTypes.HTTPField.Name(field.name) else { continue }
      result.headerFields.append(.init(name: name, value: field.value))
    }
    return (result, HTTPBody(response.body.bytes))
  }
}

/// The sample of a transport for a generated client.
@Suite struct ClientTransportSamples {
  @Test func `a generated client sends its requests through a server`() async throws {
    let mock = MockTransport { request in
      let body = String(decoding: (try? request.body?.bytes()) ?? [], as: UTF8.self)
      return .json(#"{"path":"\#(request.url.path)","body":"\#(body)"}"#, status: body.isEmpty ? 404 : 201)
    }
    let transport = ServerTransport(server: Server("https://api.example.com", transport: mock))
    let base = try #require(URL(string: "https://api.example.com"))
    var post = HTTPTypes.HTTPRequest(method: .init(rawValue: "POST"), path: "/books")
    let name = try #require(HTTPTypes.HTTPField.Name("Content-Type"))
    post.headerFields.append(.init(name: name, value: "text/plain"))
    var body = HTTPBody(Array("a".utf8))
    body.chunks.append(Array("b".utf8))
    let (created, content) = try await transport.send(
      post, body: body, baseURL: base, operationID: "addBook")
    #expect(created.status.code == 201 && mock.requests.last?.headers["Content-Type"] == "text/plain")
    #expect(created.headerFields.contains { $0.name.rawName == "Content-Type" })
    #expect(content?.chunks.map { String(decoding: $0, as: UTF8.self) } == [#"{"path":"/books","body":"ab"}"#])
    let get = HTTPTypes.HTTPRequest(method: .init(rawValue: "GET"), path: "/books/none")
    let (missing, _) = try await transport.send(get, body: nil, baseURL: base, operationID: "getBook")
    #expect(missing.status.code == 404)
  }
}
