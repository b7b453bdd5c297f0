#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  internal import ServerAPI

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// The phases of an exchange as the session measured them. Only Apple systems do.
  struct SessionPhases: Sendable {
    /// The start and the end of a phase; `nil` where it was skipped.
    typealias Phase = (start: Date?, end: Date?)

    var fetchStart: Date?
    var lookup: Phase = (nil, nil)
    /// Includes the handshake.
    var connect: Phase = (nil, nil)
    var handshake: Phase = (nil, nil)
    var request: Phase = (nil, nil)
    var response: Phase = (nil, nil)
    /// The name of the protocol in ALPN, such as `h2`.
    var protocolName: String?
    var isReused = false
    /// The body as received, before it was decoded.
    var wireBytes = 0

    init() {}

    /// Reads the last transaction over the network; the session may have repeated the request.
    init?(_ metrics: URLSessionTaskMetrics) {
      guard let last = metrics.transactionMetrics.last(where: { $0.resourceFetchType == .networkLoad })
      else { return nil }
      fetchStart = last.fetchStartDate
      lookup = (last.domainLookupStartDate, last.domainLookupEndDate)
      connect = (last.connectStartDate, last.connectEndDate)
      handshake = (last.secureConnectionStartDate, last.secureConnectionEndDate)
      request = (last.requestStartDate, last.requestEndDate)
      response = (last.responseStartDate, last.responseEndDate)
      protocolName = last.networkProtocolName
      isReused = last.isReusedConnection
      wireBytes = Int(last.countOfResponseBodyBytesReceived)
    }

    /// The protocol as in a status line.
    var httpVersion: String {
      switch protocolName {
      case nil: ""
      case "h2", "h2c": "HTTP/2"
      case "h3": "HTTP/3"
      case .some(let name): name.uppercased()
      }
    }

    /// Returns timings whose phases are at most the total. The dates are of the wall clock, which may have been set in
    /// between, so they are not trusted any further.
    func timings(total: Duration) -> HTTPResponse.Timings {
      var rest = total
      func part(_ start: Date?, _ end: Date?, without other: Duration = .zero) -> Duration {
        guard let start, let end else { return .zero }
        let measured = Duration.seconds(end.timeIntervalSince(start)) - other
        let part = min(max(measured, .zero), rest)
        rest -= part
        return part
      }
      var timings = HTTPResponse.Timings()
      timings.total = total
      timings.dns = part(lookup.start, lookup.end)
      timings.tls = part(handshake.start, handshake.end)
      timings.connect = part(connect.start, connect.end, without: timings.tls)
      timings.send = part(request.start, request.end)
      timings.wait = part(request.end, response.start)
      timings.receive = part(response.start, response.end)
      timings.queue = part(fetchStart, lookup.start ?? connect.start ?? request.start)
      timings.reused = isReused
      timings.httpVersion = httpVersion
      return timings
    }
  }
#endif
