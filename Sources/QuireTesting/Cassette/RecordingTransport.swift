public import ServerAPI
internal import Support

/// Passes requests on to another transport and writes every exchange down in a ``Cassette``.
///
/// ```swift
/// let transport = RecordingTransport(wrapping: CurlTransport(), to: "Fixtures/books.json")
/// ```
///
/// The file is written anew after each answer, in the order in which the requests were made.
/// Secrets are masked before anything reaches the disk: in headers, and by key-like names in queries,
/// forms, JSON and other texts. Multipart bodies are described, binary ones written as they are. An
/// exchange that fails leaves no trace.
public struct RecordingTransport: Transport {
  private let base: any Transport
  private let redaction: Redaction
  private let file: CassetteFile

  /// Records to a file, which is replaced by the first answer.
  public init(
    wrapping base: any Transport, to path: String, redaction: Redaction = Redaction()
  ) {
    self.base = base
    self.redaction = redaction
    file = CassetteFile(path)
  }

  /// The user that the other transport makes known.
  public var identity: String? { base.identity }

  /// Sends the request and writes down the answer; fails when that can't be written.
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

/// The body that went to a receiver.
private final class Pieces: Sendable {
  private let bytes = Lock<[UInt8]>([])

  var isEmpty: Bool { bytes.withLock(\.isEmpty) }
  var joined: ResponseBody { ResponseBody(bytes.withLock { $0 }) }

  func add(_ piece: ResponseBody) {
    piece.withUnsafeBytes { piece in bytes.withLock { $0.append(contentsOf: piece) } }
  }
}

/// One file and the exchanges that belong into it; an actor, so that writes follow each other.
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

/// Masks exchanges on their way into a cassette, and requests before they are compared with one.
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

  /// What is text is masked as in logs. A body of fields and files is described, since no rule finds the
  /// secrets in it.
  private func masked(_ bytes: [UInt8], type: String) -> [UInt8] {
    guard !bytes.isEmpty, self != .revealingSecrets else { return bytes }
    let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    let isMultipart = HTTPResponse.MediaType(type).essence.hasPrefix("multipart/")
    guard isText || isMultipart else { return bytes }
    return Array(body(bytes, contentType: type, limit: .max).utf8)
  }
}
