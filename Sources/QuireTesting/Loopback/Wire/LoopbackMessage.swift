/// A response as it is sent on the wire, with the faults that change head and body.
struct LoopbackMessage {
  let response: LoopbackResponse
  /// The framed bytes after the head.
  let body: LoopbackSpan
  /// Whether the connection ends after this message.
  let closes: Bool
  private let framing: [LoopbackHeader]
  private let rawHead: [UInt8]?

  /// Creates the message for a request, of which only two facts matter.
  init(_ response: LoopbackResponse, toHead: Bool = false, closing: Bool = false) {
    var response = response
    var closes = closing || response.isEarly || response.framing == .close
    var rawHead: [UInt8]?
    var payload = response.body.slice(0..<response.body.count)
    var lengths = [response.body.count]
    switch response.fault {
    case .lengthTooLong(let bytes):
      lengths = [lengths[0] + bytes]
      closes = true
    case .lengthTooShort(let bytes): lengths = [max(0, lengths[0] - bytes)]
    case .conflictingLengths: lengths = [lengths[0], lengths[0] + 1]
    case .badChunkSize, .truncatedChunks:
      if case .chunks = response.framing {} else { response.framing = .chunks(of: 256) }
      closes = true
    case .truncatedGzip, .brokenGzip:
      let whole = LoopbackGzip.stored(payload.joined)
      let part =
        response.fault == .truncatedGzip
        ? Array(whole.prefix(whole.count / 2))
        : Array(whole.prefix(10)) + [UInt8](repeating: 0xFF, count: 64)
      payload = .bytes(part[...])
      lengths = [part.count]
      response.headers.append(LoopbackHeader("Content-Encoding", "gzip"))
    case .hugeHeader(let bytes):
      let value = String(repeating: "h", count: max(0, bytes - "X-Huge: \r\n".utf8.count))
      response.headers.append(LoopbackHeader("X-Huge", value))
    case .garbageStatusLine:
      rawHead = Array("This is no status line\r\n\r\n".utf8)
      closes = true
    case .noHead:
      rawHead = []
      closes = true
    case .raw(let bytes):
      rawHead = []
      payload = .bytes(bytes[...])
      closes = true
    default: break
    }

    var framing: [LoopbackHeader] = []
    if response.allowsBody {
      switch response.framing {
      case .length: framing = lengths.map { LoopbackHeader("Content-Length", String($0)) }
      case .chunks(let size):
        framing = [LoopbackHeader("Transfer-Encoding", "chunked")]
        payload = .bytes(Self.chunks(payload, of: size, fault: response.fault)[...])
      case .close: break
      }
    }
    if closing || response.isEarly || response.framing == .close {
      framing.append(LoopbackHeader("Connection", "close"))
    }
    if rawHead == nil, toHead || !response.allowsBody { payload = .bytes([]) }
    self.response = response
    self.body = payload
    self.closes = closes
    self.framing = framing
    self.rawHead = rawHead
  }

  /// Appends the status line, the header lines and the empty line.
  func appendHead(to wire: inout [UInt8]) {
    if let rawHead {
      wire += rawHead
      return
    }
    Self.appendStatusLine(response, to: &wire)
    for header in response.headers { Self.append(header, to: &wire) }
    for header in framing { Self.append(header, to: &wire) }
    wire += Self.lineEnd
  }

  /// The head without the empty line, so that more headers can follow.
  var openHead: [UInt8] {
    var wire: [UInt8] = []
    appendHead(to: &wire)
    return Array(wire.dropLast(2))
  }

  /// A 1xx head.
  static func interimHead(_ response: LoopbackResponse) -> [UInt8] {
    var wire: [UInt8] = []
    appendStatusLine(response, to: &wire)
    for header in response.headers { append(header, to: &wire) }
    return wire + lineEnd
  }

  private static func chunks(
    _ payload: LoopbackSpan, of size: Int, fault: LoopbackFault?
  ) -> [UInt8] {
    var wire: [UInt8] = []
    _ = payload.forEachPiece(atMost: size) { piece in
      wire += String(piece.count, radix: 16).utf8
      wire += lineEnd
      wire += piece
      wire += lineEnd
      return fault != .badChunkSize
    }
    switch fault {
    case .badChunkSize: return wire + "size\r\nand some bytes\r\n0\r\n\r\n".utf8
    case .truncatedChunks: return Array(wire.prefix(wire.count * 2 / 3))
    default: return wire + "0\r\n\r\n".utf8
    }
  }

  private static let lineEnd: [UInt8] = [0x0D, 0x0A]

  private static func appendStatusLine(_ response: LoopbackResponse, to wire: inout [UInt8]) {
    if response.status == 200, response.reason == nil {
      wire += okLine
      return
    }
    let reason = response.reason ?? reasons[response.status] ?? "Unnamed"
    wire += "HTTP/1.1 \(response.status) \(reason)\r\n".utf8
  }

  private static func append(_ header: LoopbackHeader, to wire: inout [UInt8]) {
    wire += header.name.utf8
    wire.append(0x3A)
    wire.append(0x20)
    wire += header.value.utf8
    wire += lineEnd
  }

  private static let okLine = Array("HTTP/1.1 200 OK\r\n".utf8)

  private static let reasons: [Int: String] = [
    100: "Continue", 102: "Processing", 103: "Early Hints", 201: "Created", 202: "Accepted",
    204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
    303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
    412: "Precondition Failed", 413: "Content Too Large", 417: "Expectation Failed",
    429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
  ]
}

extension LoopbackResponse.Body {
  /// Returns a part of the body, clamped to its size.
  func slice(_ range: Range<Int>) -> LoopbackSpan {
    let range = range.clamped(to: 0..<count)
    switch self {
    case .bytes(let bytes): return .bytes(bytes[range])
    case .repeating(let block, _): return .repeating(block, range)
    }
  }
}

/// Bytes to send that need not all be in memory.
enum LoopbackSpan: Hashable, Sendable {
  case bytes(ArraySlice<UInt8>)
  /// These positions of a block that repeats endlessly.
  case repeating([UInt8], Range<Int>)

  var isEmpty: Bool {
    switch self {
    case .bytes(let bytes): bytes.isEmpty
    case .repeating(_, let range): range.isEmpty
    }
  }

  /// Calls `send` with one piece after another while it returns true.
  func forEachPiece(atMost limit: Int = .max, _ send: (ArraySlice<UInt8>) -> Bool) -> Bool {
    switch self {
    case .bytes(let bytes):
      var rest = bytes
      while !rest.isEmpty {
        let piece = rest.prefix(limit)
        rest = rest[piece.endIndex...]
        guard send(piece) else { return false }
      }
    case .repeating(let block, let range):
      var position = range.lowerBound
      while position < range.upperBound {
        let offset = position % block.count
        let size = min(block.count - offset, range.upperBound - position, limit)
        guard send(block[offset..<offset + size]) else { return false }
        position += size
      }
    }
    return true
  }

  /// All bytes in one array.
  var joined: [UInt8] {
    var out: [UInt8] = []
    _ = forEachPiece {
      out += $0
      return true
    }
    return out
  }
}

extension LoopbackSpan {
  /// Returns the bytes at these positions, clamped to the size.
  func part(_ range: Range<Int>) -> LoopbackSpan {
    switch self {
    case .bytes(let bytes):
      let range = range.clamped(to: 0..<bytes.count)
      return .bytes(
        bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)])
    case .repeating(let block, let whole):
      let range = range.clamped(to: 0..<whole.count)
      return .repeating(
        block, (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
    }
  }
}
