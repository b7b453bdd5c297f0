internal import Synchronization

/// Observes each step of each call, without changing it.
///
/// - Important: `record` runs on the thread of the step, and the call waits until it returns: record the
///   event and return.
public protocol EventMonitor: Sendable {
  /// Records a step.
  func record(_ event: Call.Event, of call: Call.Info)
}

extension Call {
  /// The identity of a call in events.
  public struct Info: Hashable, Sendable {
    /// A number that is unique in the process.
    public var id: UInt64
    /// The name of the call, by default its method and path.
    public var name: String

    /// Creates an identity, as a test does.
    package init(id: UInt64, name: String) {
      self.id = id
      self.name = name
    }
  }
}

extension Call {
  /// A step of a call. Its requests and responses are complete: redact them before you show them.
  public enum Event: Sendable {
    /// The request of the call was built and validated.
    case created(HTTPRequest)
    /// The call joined an equal call in flight.
    case joined
    /// The call waits before a retry.
    case queued(for: Duration)
    /// The call waits for a rate limit of the server. The wait is not part of ``HTTPRequest/Timeouts/total``.
    case rateLimited(for: Duration)
    /// The call has waited for ``Server/Configuration/pace``. The wait is not part of ``HTTPRequest/Timeouts/total``.
    case paced(for: Duration)
    /// The request was passed to the transport.
    case sent(HTTPRequest)
    /// The call follows a redirect.
    case redirected(status: Int, to: WebURL)
    /// The call will be retried.
    case retrying(attempt: Int, reason: String, delay: Duration)
    /// The cache served the response, for this reason.
    case served(HTTPResponse, why: String)
    /// A response arrived from the network.
    case received(HTTPResponse)
    /// The call ended.
    case finished(Result<HTTPResponse, RequestError>)
  }
}

/// Passes the events of one call to its monitors.
final class CallTrace: Sendable {
  private let monitors: [any EventMonitor]
  private let info: Call.Info
  private let isFinished = Atomic(false)

  private static let lastID = Atomic<UInt64>(0)

  init(_ monitors: [any EventMonitor], _ call: Call) {
    self.monitors = monitors
    let id = Self.lastID.add(1, ordering: .relaxed).newValue
    info = Call.Info(id: id, name: call.name ?? "\(call.method) \(Self.path(of: call.address))")
  }

  /// Returns the path of an unchecked address. After a scheme without a host, the text may contain anything,
  /// such as the password of `user:password@host`, and is left out.
  private static func path(of address: String) -> String {
    let reference = URLReference(address)
    return reference.scheme == nil || reference.authority != nil ? reference.path : ""
  }

  /// Records a step, unless the call has ended: its exchange may continue for other callers.
  func record(_ event: Call.Event) {
    guard !isFinished.load(ordering: .acquiring) else { return }
    for monitor in monitors { monitor.record(event, of: info) }
  }

  /// Records the end of the call; no event follows.
  func finish(_ result: Result<HTTPResponse, RequestError>) {
    guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for monitor in monitors { monitor.record(.finished(result), of: info) }
  }
}
