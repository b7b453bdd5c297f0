internal import Support
internal import Synchronization

/// An exchange in the loop.
///
/// `@unchecked Sendable` is safe by confinement: the task that creates it does not write to it after passing it
/// to the loop, and then only the loop's thread accesses it, except `cancelFlag` and `mailbox`, which are
/// thread-safe.
final class CurlTransfer: @unchecked Sendable {
  private static let numbers = Atomic<UInt64>(0)

  /// A number that increases in order of arrival.
  let id = CurlTransfer.numbers.add(1, ordering: .relaxed).newValue
  let request: HTTPRequest
  let origin: WebURL.Origin
  /// When the caller submitted the request, in nanoseconds.
  let submitted: Int64
  /// Set from any thread; the loop checks it regularly.
  private let cancelFlag = Atomic(false)
  /// Passes pieces and progress to the caller, if the request has a receiver or progress handler.
  let mailbox: CurlMailbox?
  /// Resumed once with the outcome; only for exchanges without a mailbox.
  var continuation: UnsafeContinuation<Result<HTTPResponse, RequestError>, Never>?

  // The rest belongs to the loop's thread.
  var phase = Phase.new
  var engine: CurlEngine?
  var handle: CurlHandle?
  var head = ReceivedHead()
  let body = ResponseBuilder()
  /// The part of the memory budget that the body takes.
  private(set) lazy var share = request.memory?.share()
  var upload: RequestBody.Reader?
  /// The failure in a callback, which is more exact than libcurl's code.
  var failure: RequestError.Kind?
  /// Whether the rest of the body of a redirect or an error was not read; the response counts as complete.
  var isTruncated = false
  var isPaused = false
  var hasUpdate = false
  /// Whether libcurl has assigned a connection; a second one means that the first one was closed.
  var hasConnection = false
  /// The port of the connection on this side.
  var localPort: Int32 = 0
  /// The socket of a reused HTTP/1 connection.
  var reusedSocket: ConnectedSocket?
  var started: Int64 = 0
  var lastActivity: Int64 = 0
  var lastProgress: Int64 = 0
  var bodySent: Int64 = 0
  /// Whether the first byte of the body has arrived.
  var hasBody = false
  /// Decodes the body, if it has a coding.
  var decoder: BodyDecoder?
  /// The number of consumed bytes in the chunk that libcurl will pass again after a pause.
  var consumedOfChunk = 0
  /// Body bytes on the wire.
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

  /// The deadline, in nanoseconds.
  var deadline: Int64 { submitted.advanced(by: request.timeouts.total) }

  /// Whether the body goes to the receiver: only that of a successful response, so that the body of an error
  /// stays in the response.
  var streams: Bool { request.receiver != nil && (200..<300).contains(head.status) }

  var isCancelled: Bool { cancelFlag.load(ordering: .acquiring) }
  func markCancelled() { cancelFlag.store(true, ordering: .releasing) }

  func finish(_ result: Result<HTTPResponse, RequestError>) {
    guard phase != .over else { return }
    phase = .over
    request.priorityHandle?.observe(nil)
    // The body has it, if there is one; the caller may need the room of a failed one at once.
    share = nil
    if let mailbox {
      mailbox.finish(result)
    } else if let continuation {
      self.continuation = nil
      HandOver.willResume(self)
      continuation.resume(returning: result)
    }
  }
}

extension Int64 {
  /// Returns the time after a duration, in nanoseconds. The result saturates, and is never earlier than the
  /// start.
  func advanced(by span: Duration) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(Swift.max(0, span.nanoseconds))
    return overflow ? .max : sum
  }
}

extension Duration {
  /// Whole nanoseconds, saturating.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLong || overflow ? (seconds < 0 ? .min : .max) : sum
  }

  /// Whole milliseconds, rounded up, in the range of libcurl.
  var milliseconds: Int {
    let longest = Int64(Int32.max)
    return Int((max(1, min(nanoseconds, longest * 1_000_000)) + 999_999) / 1_000_000)
  }
}
