internal import Support
internal import Synchronization

/// One exchange on its way through the loop.
///
/// `@unchecked Sendable` holds by confinement: the task that makes it writes nothing after handing
/// it to the loop, and from then on only the loop's thread touches it, but for `cancelFlag` and
/// `mailbox`, which guard themselves.
final class CurlTransfer: @unchecked Sendable {
  private static let numbers = Atomic<UInt64>(0)

  /// Grows with the order of arrival.
  let id = CurlTransfer.numbers.add(1, ordering: .relaxed).newValue
  let request: HTTPRequest
  let origin: WebURL.Origin
  /// When the caller handed the request in, in nanoseconds.
  let submitted: Int64
  /// Set from any thread; the loop obeys at the next moment it looks.
  private let cancelFlag = Atomic(false)
  /// Carries pieces and progress to the caller while the exchange goes on, where either is wanted.
  let mailbox: CurlMailbox?
  /// Told of the outcome, once; only for exchanges without a mailbox.
  var continuation: UnsafeContinuation<Result<HTTPResponse, RequestError>, Never>?

  // The rest belongs to the loop's thread.
  var phase = Phase.new
  var engine: CurlEngine?
  var handle: CurlHandle?
  var head = ReceivedHead()
  let body = ResponseBuilder()
  var upload: RequestBody.Reader?
  /// What went wrong inside a callback, more exact than libcurl's code.
  var failure: RequestError.Kind?
  /// The body of a redirect was cut: the answer is whole all the same.
  var isCut = false
  var isPaused = false
  var hasNews = false
  /// Whether libcurl has a connection for it; a second time means that the first one was dead.
  var hasConnection = false
  var started: Int64 = 0
  var lastActivity: Int64 = 0
  var lastProgress: Int64 = 0
  var bodySent: Int64 = 0
  /// Whether the first byte of the body has come.
  var hasBody = false
  /// Undoes the coding of the body, where it has one.
  var decoder: BodyDecoder?
  /// How many bytes of the chunk that libcurl will hand in again are already dealt with.
  var takenOfChunk = 0
  /// Body bytes as they travelled.
  var wireBytes = 0
  /// Body bytes after decoding.
  var receivedBytes = 0
  var sentBytes = 0

  enum Phase { case new, waiting, running, over }

  init(_ request: HTTPRequest, now: Int64) {
    self.request = request
    origin = request.url.origin
    submitted = now
    mailbox = request.receiver == nil && request.progress == nil ? nil : CurlMailbox()
  }

  /// When the whole action must be over, in nanoseconds.
  var deadline: Int64 { submitted.advanced(by: request.timeouts.total) }

  /// Whether pieces of the body go to the receiver: only for an answer that succeeded, so that the
  /// text of an error can still be read.
  var streams: Bool { request.receiver != nil && (200..<300).contains(head.status) }

  var isCancelled: Bool { cancelFlag.load(ordering: .acquiring) }
  func markCancelled() { cancelFlag.store(true, ordering: .releasing) }

  func finish(_ result: Result<HTTPResponse, RequestError>) {
    guard phase != .over else { return }
    phase = .over
    request.priorityHandle?.observe(nil)
    if let mailbox {
      mailbox.finish(result)
    } else if let continuation {
      self.continuation = nil
      HandOver.begins(self)
      continuation.resume(returning: result)
    }
  }
}

extension Int64 {
  /// This moment and a span after it, in nanoseconds; stays at the end of time, and never goes back.
  func advanced(by span: Duration) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(Swift.max(0, span.nanoseconds))
    return overflow ? .max : sum
  }
}

extension Duration {
  /// Whole nanoseconds, at most as many as fit.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLong || overflow ? (seconds < 0 ? .min : .max) : sum
  }

  /// Whole milliseconds, rounded up, in the range that libcurl takes.
  var milliseconds: Int {
    let longest = Int64(Int32.max)
    return Int((max(1, min(nanoseconds, longest * 1_000_000)) + 999_999) / 1_000_000)
  }
}
