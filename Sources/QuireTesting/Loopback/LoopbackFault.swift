/// A fault in one response.
///
/// ```swift
/// server.enqueue(.text("incomplete").failing(.reset(.bodySent(5))))
/// server.enqueue(.fault(.stall(.headSent)), .fault(.garbageStatusLine))
/// ```
public enum LoopbackFault: Hashable, Sendable {
  /// Closes the connection.
  case close(LoopbackMoment)
  /// Resets the connection: the client receives RST.
  case reset(LoopbackMoment)
  /// Stops sending, and reads until the client closes.
  case halfClose(LoopbackMoment)
  /// Stops sending and keeps the connection open until the client or the server closes it.
  case stall(LoopbackMoment)
  /// Sends the head in pieces of that many bytes, with a pause in real time before each.
  case slowHead(bytes: Int, every: Duration)
  /// Sends the body in pieces of that many bytes, with a pause in real time before each.
  case slowBody(bytes: Int, every: Duration)
  /// Declares that many bytes more than the body has, then closes.
  case lengthTooLong(by: Int)
  /// Declares that many bytes fewer than the body has and keeps the connection, so that the rest is where the
  /// next response is expected.
  case lengthTooShort(by: Int)
  /// Sends two `Content-Length` headers that differ.
  case conflictingLengths
  /// Sends a chunk whose size is not a number, then closes.
  case badChunkSize
  /// Closes after some of the chunks, without the last one.
  case truncatedChunks
  /// Sends half of the gzip body as if it were complete.
  case truncatedGzip
  /// Sends a gzip header and then bytes that no decoder accepts.
  case brokenGzip
  /// Sends endless header lines.
  case endlessHeaders
  /// Sends one header line of that many bytes.
  case hugeHeader(bytes: Int)
  /// Sends endless `103 Early Hints`.
  case interimStorm
  /// Sends an invalid status line, then closes.
  case garbageStatusLine
  /// Sends only the body, as in HTTP/0.9, then closes.
  case noHead
  /// Sends these bytes instead of a response, then closes.
  case raw([UInt8])
}

extension LoopbackFault {
  /// How a connection ends or stalls.
  enum Ending: Hashable, Sendable { case close, reset, halfClose, stall }

  /// The ending and its moment, for the faults that have one.
  var ending: (Ending, LoopbackMoment)? {
    switch self {
    case .close(let moment): (.close, moment)
    case .reset(let moment): (.reset, moment)
    case .halfClose(let moment): (.halfClose, moment)
    case .stall(let moment): (.stall, moment)
    default: nil
    }
  }
}
