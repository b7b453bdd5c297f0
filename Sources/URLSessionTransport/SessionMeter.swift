#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  internal import ServerAPI

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// Counts the received bytes of one request and checks the limits.
  struct SessionMeter: Sendable {
    /// How an exchange ends.
    enum End: Sendable {
      case complete
      case failed(RequestError.Kind)
    }

    private let limits: HTTPRequest.Limits
    private let hasBody: Bool
    private(set) var status: Int?
    private(set) var headers: HTTPHeaders = [:]
    private(set) var headAt: Duration?
    /// The announced length of the body, if that is also its decoded length.
    private(set) var announced: Int?
    private(set) var received = 0
    /// The exceeded limit.
    private(set) var excess: RequestError.Kind?
    var sent = 0

    init(_ request: HTTPRequest) {
      limits = request.limits
      hasBody = request.body?.length ?? 0 > 0
    }

    /// Whether there is a connection. The session doesn't say before a request without a body has its response.
    var isConnected: Bool { !hasBody || sent > 0 || headAt != nil }

    mutating func receive(_ response: HTTPURLResponse, at now: Duration) {
      status = response.statusCode
      headAt = headAt ?? now
      headers = HTTPHeaders(
        response.allHeaderFields.compactMap { name, value in
          guard let name = name as? String, let value = value as? String else { return nil }
          return .init(name: name, value: value)
        })
      if headers.contentCodings.isEmpty { announced = headers.contentLength }
      let bytes = headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
      if headers.fields.count > limits.headerCount {
        excess = .tooLarge(.headerCount, allowed: limits.headerCount)
      } else if bytes > limits.headerBytes {
        excess = .tooLarge(.headerBytes, allowed: limits.headerBytes)
      }
    }

    /// Counts bytes of the body and returns how many of them are within the limits. The body of a redirect is
    /// truncated without an error.
    mutating func admit(_ count: Int) -> Int {
      let (limit, kind) = bodyLimit
      let allowed = max(0, min(count, limit - received))
      received += allowed
      if allowed < count, let kind { excess = excess ?? kind }
      return allowed
    }

    private var bodyLimit: (Int, RequestError.Kind?) {
      if let status, (300..<400).contains(status) { return (limits.redirectBodyBytes, nil) }
      return limits.wireBytes < limits.decodedBytes
        ? (limits.wireBytes, .tooLarge(.wireBytes, allowed: limits.wireBytes))
        : (limits.decodedBytes, .tooLarge(.decodedBytes, allowed: limits.decodedBytes))
    }

    /// Converts an error of the session. Most failures after connecting have the code "unknown"; the progress of
    /// the exchange then decides.
    func kind(of error: any Error, for url: WebURL) -> RequestError.Kind {
      guard let error = error as? URLError else { return .connectFailed("\(error)") }
      return switch error.code {
      case .cancelled: .cancelled(.byCaller)
      case .timedOut: .timeout(.connect)
      case .cannotFindHost, .dnsLookupFailed: .nameNotResolved(host: url.host)
      case .cannotConnectToHost: .connectRefused
      case .notConnectedToInternet: .unreachable(url.host) { false }
      case .networkConnectionLost, .badServerResponse:
        .connectionLost(bytesReceived: received, reused: false)
      case .cannotParseResponse: .protocolViolation(error.localizedDescription)
      case .cannotDecodeContentData, .cannotDecodeRawData: .undecodable(error.localizedDescription)
      case .secureConnectionFailed: .tls(.handshake(error.localizedDescription))
      case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: .tls(.untrusted)
      case .serverCertificateHasBadDate, .serverCertificateNotYetValid: .tls(.expired)
      case .clientCertificateRejected, .clientCertificateRequired:
        .tls(.clientCertificate(error.localizedDescription))
      // On Linux, only a refused connection has a code of its own.
      case .unknown where error.localizedDescription.hasPrefix("Failed to connect to "):
        .unreachable(url.host, because: error.localizedDescription)
      case .unknown where status == nil && url.scheme == "https":
        .tls(.handshake(error.localizedDescription))
      case .unknown: .connectionLost(bytesReceived: received, reused: false)
      default: .connectFailed("\(error.localizedDescription) (\(error.code.rawValue))")
      }
    }
  }

  /// Reports progress to a handler, at most ten times per second.
  struct SessionProgress {
    private let handler: (@Sendable (HTTPRequest.Progress) -> Void)?
    private var progress: HTTPRequest.Progress
    private var lastReport: Duration?

    init(_ request: HTTPRequest) {
      handler = request.progress
      progress = HTTPRequest.Progress(toSend: request.body?.length ?? 0)
    }

    mutating func sent(_ count: Int, at now: Duration) {
      progress.sent = max(progress.sent, count)
      report(at: now)
    }

    mutating func received(_ count: Int, of announced: Int?, at now: Duration) {
      progress.sent = progress.toSend ?? progress.sent
      progress.received += count
      progress.toReceive = announced
      report(at: now)
    }

    mutating func finish(of announced: Int?) {
      progress.sent = progress.toSend ?? progress.sent
      progress.toReceive = announced
      handler?(progress)
    }

    private mutating func report(at now: Duration) {
      if let lastReport, now - lastReport < .milliseconds(100) { return }
      lastReport = now
      handler?(progress)
    }
  }
#endif
