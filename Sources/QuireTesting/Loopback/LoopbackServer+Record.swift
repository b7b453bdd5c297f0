extension LoopbackServer {
  /// The requests that arrived so far, in order of arrival.
  public var requests: [LoopbackRequest] { script.requests }

  /// The requests for which there was neither a scripted answer nor a handler; a test that expects
  /// none can say so in one line.
  public var unscripted: [LoopbackRequest] { script.unscripted }

  /// How many scripted answers nobody has asked for yet.
  public var scriptedAnswersLeft: Int { script.waiting }

  /// How many requests arrived, whether or not they are kept.
  public var requestCount: Int { script.arrived.count }

  /// How many connections were accepted so far.
  public var acceptedConnections: Int { listener.accepted.count }

  /// How many connections are open now.
  public var openConnections: Int { listener.openCount }

  /// How many TLS handshakes failed so far.
  public var failedTLSHandshakes: Int { failedHandshakes.count }

  /// Waits until the request of that number, counted from zero, has arrived.
  ///
  /// Throws ``LoopbackError/stopped`` when the server stops or the waiting task is cancelled first.
  public func request(at index: Int) async throws(LoopbackError) -> LoopbackRequest {
    guard await script.arrived.reach(index + 1) else { throw .stopped }
    let requests = script.requests
    guard requests.indices.contains(index) else {
      throw .invalid(what: "request(at: \(index))", expected: "a server that records requests")
    }
    return requests[index]
  }

  /// Waits until that many connections have been accepted.
  public func accepted(_ count: Int) async throws(LoopbackError) {
    guard await listener.accepted.reach(count) else { throw .stopped }
  }

  /// Waits until the connection of that number has ended, whoever ended it: so a test sees that a
  /// client whose call was cancelled really went away.
  public func connectionClosed(_ number: Int) async throws(LoopbackError) {
    guard await listener.connectionClosed(number) else { throw .stopped }
  }

  /// Waits until that many TLS handshakes have failed.
  public func tlsHandshakesFailed(_ count: Int = 1) async throws(LoopbackError) {
    guard await failedHandshakes.reach(count) else { throw .stopped }
  }
}
