public import ServerAPI
internal import Support

/// Forwards requests to another transport and records every exchange in a ``Cassette``.
///
/// ```swift
/// let transport = RecordingTransport(wrapping: CurlTransport(), to: "Fixtures/books.json")
/// ```
///
/// The file is rewritten after each response, in the order in which the requests were sent. Secrets are masked
/// before anything reaches the disk: in headers, and by key-like names in queries, forms, JSON and other text.
/// Multipart bodies are described; binary ones are written unchanged. A failed exchange is not recorded.
public struct RecordingTransport: Transport {
  private let base: any Transport
  private let redaction: Redaction
  private let file: CassetteFile

  /// Creates a transport that records to a file, which the first response replaces.
  public init(
    wrapping base: any Transport, to path: String, redaction: Redaction = Redaction()
  ) {
    self.base = base
    self.redaction = redaction
    file = CassetteFile(path)
  }

  /// The user that the wrapped transport authenticates as.
  public var identity: String? { base.identity }

  /// Sends the request and records the response; throws if recording fails.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let number = await file.begin()
    let masked = try redaction.masked(request)
    var watched = request
    let pieces = Pieces()
    if let receiver = request.receiver {
      watched.receiver = { piece in
        pieces.add(piece)
        try await receiver(piece)
      }
    }
    let response = try await base.send(watched)
    let body = pieces.isEmpty ? response.body : pieces.joined
    try await file.finish(
      number, .init(request: masked, response: redaction.masked(response, body: body)))
    return response
  }
}

/// The body that was sent to a receiver.
private final class Pieces: Sendable {
  private let bytes = Lock<[UInt8]>([])

  var isEmpty: Bool { bytes.withLock(\.isEmpty) }
  var joined: ResponseBody { ResponseBody(bytes.withLock { $0 }) }

  func add(_ piece: ResponseBody) {
    piece.withUnsafeBytes { piece in bytes.withLock { $0.append(contentsOf: piece) } }
  }
}

/// A file and its exchanges; an actor, so that writes are serialized.
private actor CassetteFile {
  private let path: String
  private var begun = 0
  private var finished: [Int: Cassette.Exchange] = [:]

  init(_ path: String) { self.path = path }

  func begin() -> Int {
    begun += 1
    return begun
  }

  func finish(_ number: Int, _ exchange: Cassette.Exchange) throws(RequestError) {
    finished[number] = exchange
    let inOrder = finished.sorted { $0.key < $1.key }.map(\.value)
    try Cassette(inOrder).write(to: path)
  }
}

/// Masks exchanges before they are recorded, and requests before they are compared with recorded ones.
extension Redaction {
  func masked(_ request: HTTPRequest) throws(RequestError) -> Cassette.Request {
    let bytes = try request.body?.bytes() ?? []
    let type = request.headers["Content-Type"] ?? request.body?.contentType ?? ""
    return Cassette.Request(
      method: request.method.rawValue, url: url(request.url), headers: pairs(headers(of: request)),
      body: Cassette.Body(masked(bytes, type: type)))
  }

  func masked(_ response: HTTPResponse, body: ResponseBody) -> Cassette.Response {
    let bytes = body.withUnsafeBytes { Array($0) }
    return Cassette.Response(
      status: response.status, headers: pairs(headers(of: response)),
      body: Cassette.Body(masked(bytes, type: response.headers["Content-Type"] ?? "")))
  }

  private func pairs(_ fields: HTTPHeaders) -> [[String]] {
    fields.fields.map { [$0.name, $0.value] }
  }

  /// Masks text as in logs. A multipart body is described instead, because no rule finds the secrets in it.
  private func masked(_ bytes: [UInt8], type: String) -> [UInt8] {
    guard !bytes.isEmpty, self != .revealingSecrets else { return bytes }
    let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    let isMultipart = HTTPResponse.MediaType(type).essence.hasPrefix("multipart/")
    guard isText || isMultipart else { return bytes }
    return Array(body(bytes, contentType: type, limit: .max).utf8)
  }
}
