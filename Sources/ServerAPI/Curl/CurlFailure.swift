internal import CCurl

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Turns libcurl's result into a kind of error, with what the handle still knows.
struct CurlFailure {
  let code: CURLcode
  /// The error number of the system for the last socket call.
  let systemError: Int32
  /// The verdict of the certificate check; 0 where it did not fail.
  let verdict: Int
  /// What a proxy answered to CONNECT; 0 where it did not.
  let proxyStatus: Int
  /// libcurl's own words.
  let text: String
  let proxy: CurlTransport.Proxy
  let hasConnection: Bool
  let reused: Bool
  let bytesReceived: Int
  let host: String
  let port: Int
  /// Whether the time for the whole action ends before that for connecting, so that it is the one that
  /// can run out while connecting. No clock is asked when it has: it would have to be libcurl's.
  let totalEndsFirst: Bool
  /// Whether the head of the answer was being read.
  let isInHead: Bool

  /// Where the environment decides, libcurl's words tell what it tried to reach.
  private var usesProxy: Bool {
    switch proxy {
    case .none: false
    case .environment: !text.contains("connect to \(host) port \(port) after")
    case .http, .socks5: true
    }
  }

  var kind: RequestError.Kind {
    if proxyStatus != 0, !(200..<300).contains(proxyStatus) {
      return .proxy("the proxy answered \(proxyStatus)")
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return .nameNotResolved(host: host)
    case CURLE_COULDNT_RESOLVE_PROXY: return .proxy("the name of the proxy has no address")
    case CURLE_PROXY: return .proxy(words("it refused the connection"))
    case CURLE_COULDNT_CONNECT: return connectFailure
    case CURLE_OPERATION_TIMEDOUT:
      return .timeout(hasConnection || totalEndsFirst ? .total : .connect)
    // The longest header line that libcurl keeps; only later versions have a code of its own (100)
    // for a longer one.
    case CURLE_OUT_OF_MEMORY where isInHead, CURLcode(100) where isInHead:
      return .tooLarge(.headerBytes, allowed: 100 << 10)
    // Before there is a connection to the server only a proxy has been spoken to.
    case CURLE_GOT_NOTHING where !hasConnection && usesProxy,
      CURLE_RECV_ERROR where !hasConnection && usesProxy,
      CURLE_SEND_ERROR where !hasConnection && usesProxy:
      return .proxy(words("the connection to it ended"))
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2_STREAM,
      CURLE_HTTP2:
      return protocolFailure
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND:
      return .connectionLost(bytesReceived: bytesReceived, reused: reused)
    case CURLE_SEND_ERROR:
      return reused ? .connectionLost(bytesReceived: bytesReceived, reused: true) : .sendFailed
    case CURLE_URL_MALFORMAT: return .invalidRequest(.init(.url, words("can't be read")))
    default: return tlsFailure ?? .connectFailed(words("libcurl ended with code \(code.rawValue)"))
    }
  }

  /// libcurl's words, unless they repeat an address with the credentials in it.
  private func words(_ otherwise: String) -> String {
    text.isEmpty || text.utf8.contains(0x40) ? otherwise : text
  }

  private var connectFailure: RequestError.Kind {
    if usesProxy { return .proxy(words("the proxy can't be reached")) }
    return switch systemError {
    case ECONNREFUSED: .connectRefused
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .offline
    default: .connectFailed(words("no connection"))
    }
  }

  /// A stream that the server gave up before it answered is a lost connection: another one may do.
  private var protocolFailure: RequestError.Kind {
    let isHTTP2 = code == CURLE_HTTP2_STREAM || code == CURLE_HTTP2
    return isHTTP2 && bytesReceived == 0
      ? .connectionLost(bytesReceived: 0, reused: reused)
      : .protocolViolation(words("the answer is not HTTP"))
  }

  private var tlsFailure: RequestError.Kind? {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION: .tls(Self.certificateFailure(verdict, words("")))
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .tls(.notPinned)
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: .tls(.clientCertificate(words("refused")))
    case CURLE_SSL_CACERT_BADFILE:
      .invalidRequest(.init(.configuration, words("the file of authorities can't be read")))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS:
      .tls(.handshake(words("no secure connection")))
    default: nil
    }
  }

  /// OpenSSL's verdicts: 9 and 10 are dates, 62 the host; libcurl checks the host by itself, before
  /// there is a verdict (1) or after a good one (0).
  private static func certificateFailure(_ verdict: Int, _ text: String) -> RequestError.TLSFailure
  {
    switch verdict {
    case 0...1 where text.contains("subject name"), 62: .wrongHost
    case 9, 10: .expired
    default: .untrusted
    }
  }
}
