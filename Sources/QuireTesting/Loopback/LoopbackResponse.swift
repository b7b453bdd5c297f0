/// An answer of the loopback server: what it says, how it is framed, and what goes wrong with it.
///
/// ```swift
/// server.enqueue(
///   .json(#"{"items": []}"#),
///   .status(503).with("Retry-After", "1"),
///   .text("slow").held(by: gate),
///   .text("cut").failing(.close(.bodySent(1))))
/// ```
///
/// Nothing is checked: an answer may be as wrong as a test needs it.
public struct LoopbackResponse: Sendable {
  /// The bytes after the head.
  public enum Body: Hashable, Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// A block repeated up to that many bytes; however many, it takes the memory of one block.
    case repeating([UInt8], count: Int)

    /// Its length.
    public var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .repeating(let block, let count): block.isEmpty ? 0 : count
      }
    }
  }

  /// How the client learns where the body ends.
  public enum Framing: Hashable, Sendable {
    /// By a `Content-Length` header.
    case length
    /// By chunks of at most that many bytes.
    case chunks(of: Int)
    /// By the end of the connection.
    case close
  }

  /// The status code.
  public var status: Int { didSet { prebuiltWire = nil } }
  /// The reason phrase; `nil` is the usual one of the status.
  public var reason: String? { didSet { prebuiltWire = nil } }
  /// The header lines in order, the framing left out.
  public var headers: [LoopbackHeader] { didSet { prebuiltWire = nil } }
  /// The body before framing.
  public var body: Body { didSet { prebuiltWire = nil } }
  /// How the end of the body is told.
  public var framing: Framing { didSet { prebuiltWire = nil } }
  /// 1xx heads that are sent before this answer.
  public var interim: [LoopbackResponse] = []
  /// Gates the answer passes, each at its moment.
  public var holds: [Hold] = []
  /// What goes wrong.
  public var fault: LoopbackFault?
  /// Whether the answer is sent when the request's head has been read and the body left unread;
  /// the connection ends then.
  public var isEarly = false
  /// The bytes of the whole answer and how many of them are its head, made once.
  var prebuiltWire: (bytes: [UInt8], headCount: Int)?

  /// A gate and the moment at which the answer waits for it.
  public struct Hold: Sendable {
    /// When the answer waits.
    public var moment: LoopbackMoment
    /// What it waits for.
    public var gate: LoopbackGate
  }

  /// Makes an answer of its parts.
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

  /// Sends the body in chunks of at most that many bytes.
  public func chunked(of size: Int = 1024) -> LoopbackResponse {
    changed { $0.framing = .chunks(of: max(1, size)) }
  }

  /// Ends the body with the connection instead of naming its length.
  public func untilClose() -> LoopbackResponse { changed { $0.framing = .close } }

  /// Sends the body in gzip form. It is stored rather than made smaller: what a client has to
  /// decode is the same.
  public func gzipped() -> LoopbackResponse {
    changed {
      $0.body = .bytes(LoopbackGzip.stored($0.body.slice(0..<$0.body.count).joined))
      $0.headers.append(LoopbackHeader("Content-Encoding", "gzip"))
    }
  }

  /// Sends a 1xx head before the answer.
  public func after(_ status: Int, _ headers: [LoopbackHeader] = []) -> LoopbackResponse {
    changed { $0.interim.append(LoopbackResponse(status: status, headers: headers)) }
  }

  /// Waits for a gate when the moment comes.
  public func held(
    by gate: LoopbackGate, at moment: LoopbackMoment = .requestRead
  ) -> LoopbackResponse {
    changed { $0.holds.append(Hold(moment: moment, gate: gate)) }
  }

  /// Goes wrong in that way.
  public func failing(_ fault: LoopbackFault) -> LoopbackResponse { changed { $0.fault = fault } }

  /// Answers when the request's head has been read, leaves the body unread and ends the
  /// connection, as servers do that refuse an upload.
  public func early() -> LoopbackResponse { changed { $0.isEarly = true } }

  /// The same answer with its bytes made now, for one that is sent many times.
  ///
  /// A later change to status, headers, body or framing undoes it.
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

  /// Whether the status lets a body follow.
  var allowsBody: Bool { status >= 200 && status != 204 && status != 304 }

  /// Whether head and body go out in one piece, with nothing before, between and after.
  var isPlain: Bool { fault == nil && holds.isEmpty && interim.isEmpty && !isEarly }

  /// Whether something is bound to that moment, so that the answer is needed when it comes.
  func isBound(to moment: LoopbackMoment) -> Bool {
    fault?.ending?.1 == moment || holds.contains { $0.moment == moment }
      || (isEarly && moment == .requestHeadRead)
  }
}

extension LoopbackResponse {
  /// 200 with plain text.
  public static func text(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "text/plain; charset=utf-8")
  }

  /// 200 with JSON, given as its text.
  public static func json(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "application/json")
  }

  /// 200 with an HTML page.
  public static func html(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "text/html; charset=utf-8")
  }

  /// 200 with these bytes.
  public static func bytes(
    _ bytes: [UInt8], type: String = "application/octet-stream"
  ) -> LoopbackResponse {
    LoopbackResponse(headers: [LoopbackHeader("Content-Type", type)], body: .bytes(bytes))
  }

  /// A status without a body.
  public static func status(_ status: Int, reason: String? = nil) -> LoopbackResponse {
    LoopbackResponse(status: status, reason: reason)
  }

  /// A redirect to a location, absolute or relative.
  public static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: [LoopbackHeader("Location", location)])
  }

  /// A redirect of a request to itself: following it never ends.
  public static func redirectLoop(_ request: LoopbackRequest) -> LoopbackResponse {
    redirect(to: request.target)
  }

  /// Redirects a request that many times, each to an address of its own, and then answers.
  ///
  /// The hops are counted by the query item `hop`, so one handler serves the whole chain.
  public static func redirectChain(
    _ request: LoopbackRequest, hops: Int, then response: LoopbackResponse
  ) -> LoopbackResponse {
    let hop = request.query("hop").flatMap { Int($0) } ?? 0
    return hop < hops ? redirect(to: "\(request.path)?hop=\(hop + 1)") : response
  }

  /// 200 with that many bytes, sent from one small block.
  public static func filler(count: Int) -> LoopbackResponse {
    LoopbackResponse(
      headers: [LoopbackHeader("Content-Type", "application/octet-stream")],
      body: .repeating([UInt8](repeating: 0x61, count: 256 << 10), count: max(0, count)))
  }

  /// 200 with a gzip body that is about a thousand times larger once decoded: zeros, that many.
  public static func bomb(decodedBytes: Int) -> LoopbackResponse {
    bytes(LoopbackGzip.zeros(max(0, decodedBytes))).with("Content-Encoding", "gzip")
  }

  /// A text of a thousand bytes that goes wrong.
  public static func fault(_ fault: LoopbackFault) -> LoopbackResponse {
    text(String(repeating: "0123456789", count: 100)).failing(fault)
  }
}
