#if LIBCURL
  internal import CCurl
  internal import Support

  /// Converts a result of libcurl to a kind of error, with facts from the handle.
  struct CurlFailure {
    /// How far an exchange came.
    enum Progress {
      case resolving
      case connecting
      /// The TLS handshake.
      case securing
      case connected
    }

    /// The `CURLcode`, as a number that code without the C module can write.
    let number: UInt32
    /// The error number of the last socket call.
    let systemError: Int32
    /// The result of the certificate check; 0 if it did not fail.
    let verdict: Int
    /// The status of a proxy's response to CONNECT; 0 without one.
    let proxyStatus: Int
    /// The error text of libcurl.
    let text: String
    let proxy: CurlTransport.Proxy
    let progress: Progress
    let reused: Bool
    let bytesReceived: Int
    let host: String
    let port: Int
    /// Whether the total time limit ends before the one for connecting. A timeout while connecting has then
    /// exceeded the total limit. No clock decides this, since it could differ from libcurl's.
    let totalEndsFirst: Bool
    /// Whether the head of the response was being read.
    let isInHead: Bool
    /// Whether the device has a route to the Internet.
    var hasRoute: () -> Bool = NetworkRoute.exists
    /// Whether the environment names a proxy for a host.
    var environmentHasProxy: (String) -> Bool = ProxyEnvironment.hasProxy(for:)

    private var code: CURLcode { CURLcode(number) }
    private var hasConnection: Bool { progress == .connected }

    /// Whether the exchange goes through a proxy. If the environment decides, libcurl's text names the peer.
    private var usesProxy: Bool {
      switch proxy {
      case .none: false
      case .environment:
        environmentHasProxy(host) && !text.contains("connect to \(host) port \(port) after")
      case .http, .socks5: true
      }
    }

    var kind: RequestError.Kind {
      if proxyStatus != 0, !(200..<300).contains(proxyStatus) {
        return .proxy("the proxy responded with \(proxyStatus)")
      }
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST:
        // Without any route, no name can be resolved.
        return HostLocality.isLocal(host) || hasRoute() ? .nameNotResolved(host: host) : .offline
      case CURLE_COULDNT_RESOLVE_PROXY: return .proxy("the host name of the proxy can't be resolved")
      case CURLE_PROXY: return .proxy(message(or: "the proxy refused the connection"))
      case CURLE_COULDNT_CONNECT: return connectFailure
      case CURLE_OPERATION_TIMEDOUT:
        return .timeout(totalEndsFirst ? .total : phase)
      // A header line is longer than libcurl supports; only later versions have a code for it (100).
      case CURLE_OUT_OF_MEMORY where isInHead, CURLcode(100) where isInHead:
        return .tooLarge(.headerBytes, allowed: 100 << 10)
      // Without a connection to the server, the peer was the proxy.
      case CURLE_GOT_NOTHING where !hasConnection && usesProxy,
        CURLE_RECV_ERROR where !hasConnection && usesProxy,
        CURLE_SEND_ERROR where !hasConnection && usesProxy:
        return .proxy(message(or: "the proxy closed the connection"))
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2_STREAM,
        CURLE_HTTP2:
        return protocolFailure
      case CURLE_RECV_ERROR where text.contains("chunked-encoding"):
        return .protocolViolation("the size of a chunk of the body can't be read")
      case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND:
        return .connectionLost(bytesReceived: bytesReceived, reused: reused)
      case CURLE_SEND_ERROR:
        return reused ? .connectionLost(bytesReceived: bytesReceived, reused: true) : .sendFailed
      case CURLE_BAD_CONTENT_ENCODING:
        return .undecodable(message(or: "the content encoding is unknown or the body is damaged"))
      case CURLE_URL_MALFORMAT: return .invalidRequest(.init(.url, message(or: "is invalid")))
      default:
        return tlsFailure
          ?? .connectFailed(message(or: "libcurl failed with code \(code.rawValue)"))
      }
    }

    /// Returns the text of libcurl, unless it is empty or contains an address with credentials.
    private func message(or fallback: String) -> String {
      text.isEmpty || text.utf8.contains(0x40) ? fallback : text
    }

    private var connectFailure: RequestError.Kind {
      if usesProxy { return .proxy(message(or: "the proxy is unreachable")) }
      let reason = message(or: "libcurl gave no reason")
      return switch systemError {
      case ECONNREFUSED: .connectRefused
      case ETIMEDOUT: .timeout(.connect)
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .unreachable(host, hasRoute: hasRoute)
      case 0: .connectFailed(reason)
      default: .connectFailed("\(reason) (\(String(cString: strerror(systemError))))")
      }
    }

    /// The phase whose time limit was exceeded. With a proxy, libcurl's progress is partly that of the connection
    /// to it.
    private var phase: RequestError.Phase {
      switch progress {
      case .connected: .total
      case .resolving where !usesProxy: .resolve
      case .securing where !usesProxy: .handshake
      case .resolving, .connecting, .securing: .connect
      }
    }

    /// An HTTP/2 stream that the server ended is a lost connection, as is a connection that failed before the response: a
    /// retry may succeed.
    private var protocolFailure: RequestError.Kind {
      let isLost = code == CURLE_HTTP2_STREAM || code == CURLE_HTTP2 && bytesReceived == 0
      return isLost
        ? .connectionLost(bytesReceived: bytesReceived, reused: reused)
        : .protocolViolation(
          text.contains("HTTP/0.9") ? "it has no status line" : message(or: "it is not HTTP"))
    }

    private var tlsFailure: RequestError.Kind? {
      switch code {
      case CURLE_PEER_FAILED_VERIFICATION: .tls(Self.certificateFailure(verdict, message(or: "")))
      case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .tls(.notPinned)
      case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT:
        .tls(.clientCertificate(message(or: "libcurl rejected it")))
      case CURLE_SSL_CACERT_BADFILE:
        .invalidRequest(
          .init(.configuration, message(or: "the file of certificate authorities can't be read")))
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS:
        .tls(.handshake(message(or: "libcurl gave no reason")))
      default: nil
      }
    }

    /// Interprets a result of OpenSSL: 9 and 10 are dates, 62 is the host. libcurl checks the host itself, before
    /// there is a result (1) or after a successful one (0).
    private static func certificateFailure(_ verdict: Int, _ text: String) -> RequestError.TLSFailure {
      switch verdict {
      case 0...1 where text.contains("subject name"), 62: .wrongHost
      case 9, 10: .expired
      default: .untrusted
      }
    }
  }
#endif
