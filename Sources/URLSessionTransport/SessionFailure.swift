#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  internal import ServerAPI

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// An error of the session as plain values, with the facts of its exchange. A value, so that errors that only some
  /// systems report can be tested on any.
  struct SessionFailure: Sendable {
    /// An error code of a domain. Errors of the session name their cause in this form, often several levels deep.
    struct Cause: Hashable, Sendable {
      var domain: String
      var code: Int
    }

    /// The code of the error; `nil` if it is none of `URLError`.
    var code: URLError.Code?
    /// The error itself, then its causes.
    var causes: [Cause] = []
    /// The text of the session.
    var text = ""
    var url: WebURL
    /// Whether there was a connection.
    var isConnected = false
    /// Whether the head of the response had arrived.
    var hasHead = false
    var bytesReceived = 0
    /// Whether the device has a route to the Internet.
    var hasRoute: @Sendable () -> Bool = { NetworkRoute.exists() }

    /// Reads an error of the session.
    init(_ error: any Error, for url: WebURL) {
      self.url = url
      code = (error as? URLError)?.code
      text = error.localizedDescription
      var next: NSError? = error as NSError
      // A chain of causes is short; the limit only ends a circle.
      while let error = next, causes.count < 16 {
        causes.append(Cause(domain: error.domain, code: error.code))
        if let stream = Self.streamCause(of: error.userInfo) { causes.append(stream) }
        next = error.userInfo[NSUnderlyingErrorKey] as? NSError
      }
    }

    init(code: URLError.Code?, causes: [Cause] = [], text: String = "", url: WebURL) {
      (self.code, self.causes, self.text, self.url) = (code, causes, text, url)
    }

    /// Reads the two numbers in which CFNetwork passes on the error of a stream.
    private static func streamCause(of info: [String: Any]) -> Cause? {
      guard let domain = info["_kCFStreamErrorDomainKey"] as? Int,
        let code = info["_kCFStreamErrorCodeKey"] as? Int
      else { return nil }
      // kCFStreamErrorDomainPOSIX and kCFStreamErrorDomainSSL
      return switch domain {
      case 1: Cause(domain: NSPOSIXErrorDomain, code: code)
      case 3: Cause(domain: Self.security, code: code)
      default: nil
      }
    }

    /// The domain of errors of Apple's security framework.
    static let security = "NSOSStatusErrorDomain"
    /// The domain of errors of Apple's CFNetwork.
    static let network = "kCFErrorDomainCFNetwork"
  }

  extension SessionFailure {
    /// The error for the caller.
    var kind: RequestError.Kind {
      if let proxyFailure { return proxyFailure }
      guard let code else { return .connectFailed(described) }
      return switch code {
      case .cancelled: .cancelled(.byCaller)
      case .badURL, .unsupportedURL: .invalidRequest(.init(.url, "is rejected by URLSession: \(text)"))
      case .dataLengthExceedsMaximum:
        .invalidRequest(.init(.body, "URLSession sends no body with GET; use QUERY or POST"))
      case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile:
        .invalidRequest(.init(.body, "the file of the body can't be read: \(text)"))
      case .appTransportSecurityRequiresSecureConnection: .tls(.requiredBySystem)
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired:
        .tls(tlsFailure(code))
      case .timedOut: .timeout(isConnected ? .idle : .connect)
      case .cannotFindHost, .dnsLookupFailed:
        // Without any route, no name can be resolved.
        unreachable == .offline ? .offline : .nameNotResolved(host: url.host)
      case .cannotConnectToHost: connectFailure
      case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed: noRoute
      case .networkConnectionLost, .badServerResponse, .zeroByteResource: lost
      case .requestBodyStreamExhausted: .sendFailed
      case .cannotParseResponse: .protocolViolation(text)
      case .cannotDecodeContentData, .cannotDecodeRawData: .undecodable(text)
      case .userAuthenticationRequired, .userCancelledAuthentication: .authentication(text)
      case .unknown: unknown
      default: .connectFailed(described)
      }
    }

    private var described: String {
      "\(text) (\(causes.map { "\($0.domain) \($0.code)" }.joined(separator: ", ")))"
    }

    private var lost: RequestError.Kind { .connectionLost(bytesReceived: bytesReceived, reused: false) }

    private var unreachable: RequestError.Kind { .unreachable(url.host, hasRoute: hasRoute) }

    /// The system has no network for this request. For a host of the local network, it may be the user who did not
    /// allow it, which is reported in the same way.
    private var noRoute: RequestError.Kind {
      .unreachable(
        url.host, because: "there is no route to \(url.host), or this app may not use the local network"
      ) { false }
    }

    /// The first number of the system about a connection.
    private var connectFailure: RequestError.Kind {
      let number = causes.first { $0.domain == NSPOSIXErrorDomain }?.code
      return switch number.flatMap({ POSIXErrorCode(rawValue: Int32($0)) }) {
      // Linux names no cause, and has this code for refused connections alone.
      case nil, .ECONNREFUSED: .connectRefused
      case .ETIMEDOUT: .timeout(.connect)
      case .ENETUNREACH, .EHOSTUNREACH, .ENETDOWN: unreachable
      default: .connectFailed(described)
      }
    }

    /// Linux has this code for most failures after connecting; the progress of the exchange then decides.
    private var unknown: RequestError.Kind {
      if text.hasPrefix("Failed to connect to ") { return .unreachable(url.host, because: text) }
      return !hasHead && url.scheme == "https" ? .tls(.handshake(text)) : lost
    }

    /// The codes of CFNetwork about proxies: `kCFErrorHTTPProxyConnectionFailure`, `kCFErrorHTTPSProxyConnectionFailure`,
    /// and an unexpected response to CONNECT.
    private var proxyFailure: RequestError.Kind? {
      let isAboutProxy = causes.contains { $0.domain == Self.network && [306, 310, 311].contains($0.code) }
      return isAboutProxy ? .proxy(text) : nil
    }

    /// The session reports most problems of a certificate as "untrusted"; its causes are more exact.
    private func tlsFailure(_ code: URLError.Code) -> RequestError.TLSFailure {
      for cause in causes where cause.domain == Self.security {
        switch cause.code {
        // errSSLHostNameMismatch, errSecHostNameMismatch
        case -9843, -67602: return .wrongHost
        // errSSLCertExpired, errSSLCertNotYetValid, errSecCertificateExpired, errSecCertificateNotValidYet
        case -9814, -9815, -67818, -67819: return .expired
        // errSSLXCertChainInvalid, errSSLUnknownRootCert, errSSLNoRootCert, errSecNotTrusted
        case -9807, -9812, -9813, -67843: return .untrusted
        default: continue
        }
      }
      return switch code {
      case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: .untrusted
      case .serverCertificateHasBadDate, .serverCertificateNotYetValid: .expired
      case .clientCertificateRejected, .clientCertificateRequired: .clientCertificate(text)
      default: .handshake(text)
      }
    }
  }
#endif
