internal import Synchronization

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
