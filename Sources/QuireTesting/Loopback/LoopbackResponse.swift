/// A response of the loopback server: its content, framing and faults.
///
/// ```swift
/// server.enqueue(
///   .json(#"{"items": []}"#),
///   .status(503).with("Retry-After", "1"),
///   .text("slow").held(by: gate),
///   .text("cut").failing(.close(.bodySent(1))))
/// ```
///
/// Nothing is checked: a response can be as invalid as a test needs.
public struct LoopbackResponse: Sendable {
  /// The bytes after the head.
  public enum Body: Hashable, Sendable {
    /// The given bytes.
    case bytes([UInt8])
    /// A block that is repeated up to the given size; it takes only the memory of one block.
    case repeating([UInt8], count: Int)

    /// The number of bytes.
    public var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .repeating(let block, let count): block.isEmpty ? 0 : count
      }
    }
  }

  /// How the end of the body is marked.
  public enum Framing: Hashable, Sendable {
    /// With a `Content-Length` header.
    case length
    /// With chunks of at most that many bytes.
    case chunks(of: Int)
    /// With the end of the connection.
    case close
  }

  /// The status code.
  public var status: Int { didSet { prebuiltWire = nil } }
  /// The reason phrase; `nil` for the standard one of the status.
  public var reason: String? { didSet { prebuiltWire = nil } }
  /// The header lines in order, without those of the framing.
  public var headers: [LoopbackHeader] { didSet { prebuiltWire = nil } }
  /// The body before framing.
  public var body: Body { didSet { prebuiltWire = nil } }
  /// How the end of the body is marked.
  public var framing: Framing { didSet { prebuiltWire = nil } }
  /// 1xx heads that are sent before this response.
  public var interim: [LoopbackResponse] = []
  /// The gates that the response waits for, each at its moment.
  public var holds: [Hold] = []
  /// The fault of the response.
  public var fault: LoopbackFault?
  /// Whether the response is sent after the request's head, with the body unread; the connection ends then.
  public var isEarly = false
  /// The bytes of the whole response and the size of its head, built once.
  var prebuiltWire: (bytes: [UInt8], headCount: Int)?

  /// A gate and the moment at which the response waits for it.
  public struct Hold: Sendable {
    /// The moment at which the response waits.
    public var moment: LoopbackMoment
    /// The gate that it waits for.
    public var gate: LoopbackGate
  }

  /// Creates a response.
  public init(
    status: Int = 200, reason: String? = nil, headers: [LoopbackHeader] = [],
    body: Body = .bytes([]), framing: Framing = .length
  ) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
    self.framing = framing
  }
}

extension LoopbackResponse {
  /// Adds a header line.
  public func with(_ name: String, _ value: String) -> LoopbackResponse {
    changed { $0.headers.append(LoopbackHeader(name, value)) }
  }

  /// Sends the body in chunks of at most the given size.
  public func chunked(of size: Int = 1024) -> LoopbackResponse {
    changed { $0.framing = .chunks(of: max(1, size)) }
  }

  /// Ends the body with the connection instead of declaring its length.
  public func untilClose() -> LoopbackResponse { changed { $0.framing = .close } }

  /// Sends the body in gzip format. It is stored rather than compressed; a client decodes it in the same way.
  public func gzipped() -> LoopbackResponse {
    changed {
      $0.body = .bytes(LoopbackGzip.stored($0.body.slice(0..<$0.body.count).joined))
      $0.headers.append(LoopbackHeader("Content-Encoding", "gzip"))
    }
  }

  /// Sends a 1xx head before the response.
  public func after(_ status: Int, _ headers: [LoopbackHeader] = []) -> LoopbackResponse {
    changed { $0.interim.append(LoopbackResponse(status: status, headers: headers)) }
  }

  /// Waits for a gate at a moment.
  public func held(
    by gate: LoopbackGate, at moment: LoopbackMoment = .requestRead
  ) -> LoopbackResponse {
    changed { $0.holds.append(Hold(moment: moment, gate: gate)) }
  }

  /// Fails in the given way.
  public func failing(_ fault: LoopbackFault) -> LoopbackResponse { changed { $0.fault = fault } }

  /// Responds when the request's head has been read, leaves the body unread and ends the connection, as a
  /// server does that refuses an upload.
  public func early() -> LoopbackResponse { changed { $0.isEarly = true } }

  /// Returns the same response with its bytes built now, for one that is sent many times.
  ///
  /// A later change to status, headers, body or framing discards them.
  public func prebuilt() -> LoopbackResponse {
    guard case .bytes(let body) = body, framing == .length else { return self }
    var wire: [UInt8] = []
    LoopbackMessage(self).appendHead(to: &wire)
    let headCount = wire.count
    if allowsBody { wire += body }
    return changed { $0.prebuiltWire = (wire, headCount) }
  }

  private func changed(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
    var copy = self
    change(&copy)
    return copy
  }

  /// Whether the status allows a body.
  var allowsBody: Bool { status >= 200 && status != 204 && status != 304 }

  /// Whether head and body are sent together, without anything before, between or after.
  var isPlain: Bool { fault == nil && holds.isEmpty && interim.isEmpty && !isEarly }

  /// Whether something is bound to a moment, so that the response must be known by then.
  func isBound(to moment: LoopbackMoment) -> Bool {
    fault?.ending?.1 == moment || holds.contains { $0.moment == moment }
      || (isEarly && moment == .requestHeadRead)
  }
}

extension LoopbackResponse {
  /// Creates a response with status 200 and plain text.
  public static func text(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "text/plain; charset=utf-8")
  }

  /// Creates a response with status 200 and JSON text.
  public static func json(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "application/json")
  }

  /// Creates a response with status 200 and an HTML page.
  public static func html(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "text/html; charset=utf-8")
  }

  /// Creates a response with status 200 and the given bytes.
  public static func bytes(
    _ bytes: [UInt8], type: String = "application/octet-stream"
  ) -> LoopbackResponse {
    LoopbackResponse(headers: [LoopbackHeader("Content-Type", type)], body: .bytes(bytes))
  }

  /// Creates a response with a status and no body.
  public static func status(_ status: Int, reason: String? = nil) -> LoopbackResponse {
    LoopbackResponse(status: status, reason: reason)
  }

  /// Creates a redirect to a location, absolute or relative.
  public static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: [LoopbackHeader("Location", location)])
  }

  /// Creates a redirect of a request to itself, which never ends.
  public static func redirectLoop(_ request: LoopbackRequest) -> LoopbackResponse {
    redirect(to: request.target)
  }

  /// Redirects a request the given number of times, each to its own URL, and then responds.
  ///
  /// The hops are counted by the query item `hop`, so one handler serves the whole chain.
  public static func redirectChain(
    _ request: LoopbackRequest, hops: Int, then response: LoopbackResponse
  ) -> LoopbackResponse {
    let hop = request.query("hop").flatMap { Int($0) } ?? 0
    return hop < hops ? redirect(to: "\(request.path)?hop=\(hop + 1)") : response
  }

  /// Creates a response with status 200 and a body of the given size, sent from one small block.
  public static func filler(count: Int) -> LoopbackResponse {
    LoopbackResponse(
      headers: [LoopbackHeader("Content-Type", "application/octet-stream")],
      body: .repeating([UInt8](repeating: 0x61, count: 256 << 10), count: max(0, count)))
  }

  /// Creates a response with status 200 and a gzip body of zeros that is about a thousand times larger once
  /// decoded.
  public static func bomb(decodedBytes: Int) -> LoopbackResponse {
    bytes(LoopbackGzip.zeros(max(0, decodedBytes))).with("Content-Encoding", "gzip")
  }

  /// Creates a text response of a thousand bytes with a fault.
  public static func fault(_ fault: LoopbackFault) -> LoopbackResponse {
    text(String(repeating: "0123456789", count: 100)).failing(fault)
  }
}
