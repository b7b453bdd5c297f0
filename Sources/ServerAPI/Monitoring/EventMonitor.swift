internal import Synchronization

/// Told of each step of each call; it can't change anything.
///
/// - Important: `record` runs on whatever thread the step happens on and holds the call up until it
///   returns: note and leave.
public protocol EventMonitor: Sendable {
  /// Notes one step.
  func record(_ event: CallEvent, of call: CallInfo)
}

/// Which call an event belongs to.
public struct CallInfo: Hashable, Sendable {
  /// Unique in the process.
  public var id: UInt64
  /// The name given by the caller, or method and path.
  public var name: String

  /// Makes an identity, as a test does.
  public init(id: UInt64, name: String) {
    self.id = id
    self.name = name
  }
}

/// One step of a call. Requests and answers in it are whole: redact before you show them.
public enum CallEvent: Sendable {
  /// The call was checked and became a request.
  case created(HTTPRequest)
  /// It joined an equal call that is under way.
  case joined
  /// It is held back: by a paced host or before a retry.
  case queued(for: Duration)
  /// A request was handed to the transport.
  case sent(HTTPRequest)
  /// The server sent the call elsewhere.
  case redirected(status: Int, to: WebURL)
  /// The call will be tried again.
  case retrying(attempt: Int, reason: String, delay: Duration)
  /// The cache has the answer, for the reason in the text.
  case served(HTTPResponse, why: String)
  /// An answer arrived from the network.
  case received(HTTPResponse)
  /// The call ended.
  case finished(Result<HTTPResponse, RequestError>)
}

/// Tells the monitors of one call what happens to it. There is none where nobody listens.
final class CallTrace: Sendable {
  private let monitors: [any EventMonitor]
  private let info: CallInfo
  private let isFinished = Atomic(false)

  private static let lastID = Atomic<UInt64>(0)

  init?(_ monitors: [any EventMonitor], _ call: Call) {
    guard !monitors.isEmpty else { return nil }
    self.monitors = monitors
    let id = Self.lastID.add(1, ordering: .relaxed).newValue
    info = CallInfo(id: id, name: call.name ?? "\(call.method) \(Self.path(of: call.address))")
  }

  /// The path in an address that was not checked yet. After a scheme without a host anything may
  /// follow, the password of `user:password@host` included.
  private static func path(of address: String) -> String {
    let reference = URLReference(address)
    return reference.scheme == nil || reference.authority != nil ? reference.path : ""
  }

  /// Notes a step. An exchange that goes on for others after this caller has left is silent here.
  func record(_ event: CallEvent) {
    guard !isFinished.load(ordering: .acquiring) else { return }
    for monitor in monitors { monitor.record(event, of: info) }
  }

  /// Notes the end, after which nothing follows.
  func finish(_ result: Result<HTTPResponse, RequestError>) {
    guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for monitor in monitors { monitor.record(.finished(result), of: info) }
  }
}
