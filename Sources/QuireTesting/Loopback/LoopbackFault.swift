/// What goes wrong with one answer.
///
/// ```swift
/// server.enqueue(.text("never whole").failing(.reset(.bodySent(5))))
/// server.enqueue(.fault(.stall(.headSent)), .fault(.garbageStatusLine))
/// ```
public enum LoopbackFault: Hashable, Sendable {
  /// Closes the connection.
  case close(LoopbackMoment)
  /// Resets the connection: the client sees RST.
  case reset(LoopbackMoment)
  /// Sends no more, and reads on until the client closes.
  case halfClose(LoopbackMoment)
  /// Sends no more and keeps the connection open until the client or the server goes away.
  case stall(LoopbackMoment)
  /// Sends the head that many bytes at a time, with a pause in real time before each.
  case slowHead(bytes: Int, every: Duration)
  /// Sends the body that many bytes at a time, with a pause in real time before each.
  case slowBody(bytes: Int, every: Duration)
  /// Promises that many bytes more than the body has, then closes.
  case lengthTooLong(by: Int)
  /// Promises that many bytes fewer than the body has and keeps the connection, so that the rest
  /// stands where the next answer is expected.
  case lengthTooShort(by: Int)
  /// Sends two `Content-Length` headers that differ.
  case conflictingLengths
  /// Sends a chunk whose size is not a number, then closes.
  case badChunkSize
  /// Closes after a part of the chunks and without the last one.
  case truncatedChunks
  /// Sends half of the body's gzip form as if it were all.
  case truncatedGzip
  /// Sends a gzip head and then bytes that no decoder accepts.
  case brokenGzip
  /// Sends header lines without end.
  case endlessHeaders
  /// Sends one header line of that many bytes.
  case hugeHeader(bytes: Int)
  /// Sends `103 Early Hints` without end.
  case interimStorm
  /// Begins with a line that is no status line, then closes.
  case garbageStatusLine
  /// Sends the body alone, as before HTTP had heads, then closes.
  case noHead
  /// Sends these bytes in place of an answer, then closes.
  case raw([UInt8])
}

extension LoopbackFault {
  /// How a connection ends, or stops, at a moment.
  enum Ending: Hashable, Sendable { case close, reset, halfClose, stall }

  /// The ending and its moment, for the faults that are that.
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
