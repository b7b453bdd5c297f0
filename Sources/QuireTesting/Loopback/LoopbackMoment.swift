/// A point in the life of one exchange, in the order in which they pass.
///
/// An answer that a handler makes is known only at ``requestRead``; what is bound to an earlier
/// moment then happens at once. Scripted answers know theirs from ``accepted`` on.
public enum LoopbackMoment: Hashable, Sendable {
  /// The connection is open and nothing has been read, nor a TLS handshake made.
  case accepted
  /// The request's head has been read, its body has not.
  case requestHeadRead
  /// The whole request has been read.
  case requestRead
  /// Half of the answer's head has been sent.
  case headStarted
  /// The answer's head has been sent.
  case headSent
  /// That many bytes after the head have been sent, the framing of chunks included; all of them
  /// when there are fewer.
  case bodySent(Int)
  /// The whole answer has been sent and the connection rests.
  case responseSent
  /// The first byte of the next request on the connection has arrived and is left unread.
  case reused
}
