#if LIBCURL
  internal import Support

  extension CurlTransport {
    /// How connections are made. The defaults verify certificates, use no proxy and read nothing from
    /// the environment.
    public struct Configuration: Hashable, Sendable {
      /// The maximum number of connections to an origin with HTTP/1.1. The default is 8.
      public var connectionsPerHost = 8
      /// The maximum number of concurrent exchanges with an origin with HTTP/2. The default is 100.
      public var streamsPerHost = 100
      /// The maximum number of concurrent exchanges with all origins. The default is 256.
      public var exchanges = 256
      /// How long an unused connection is kept, and the thread with it. The default is one minute.
      public var idleLifetime: Duration = .seconds(60)
      /// Whether HTTP/2 is offered to `https` servers. The default is `true`.
      public var offersHTTP2 = true
      /// The proxy. The default is none.
      public var proxy = Proxy.none
      /// The trusted certificate authorities. The default is the store of the system. Verification can't be turned off.
      public var authorities = Authorities.system
      /// The certificate sent to servers that request one. A ``Server`` sends it only at the origin of its base
      /// address, and never after a redirect has left it.
      public var clientCertificate: ClientCertificate?
      /// The pinned keys of hosts, which are required in addition to all other checks.
      public var pins: [String: PinnedKeys] = [:]
      /// Whether TLS 1.3 is required, so that TLS 1.2 is rejected too. The default is `false`.
      public var requiresTLS13 = false
      /// The path of a Unix socket that replaces every host; the address still names host and path.
      public var unixSocket: String?
      /// Replacements of hosts to connect to: `["api.example.com:443": "127.0.0.1:8443"]`. Certificates are
      /// verified for the name in the address.
      public var hostOverrides: [String: String] = [:]

      /// Creates the default configuration.
      init() {}
    }

    /// How to connect through a proxy.
    public enum Proxy: Hashable, Sendable {
      /// Connects directly, whatever the environment says.
      case none
      /// Uses `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
      case environment
      /// An HTTP proxy, such as `http://proxy.local:3128`, and its credentials.
      case http(String, user: String? = nil, password: String? = nil)
      /// A SOCKS 5 proxy that resolves host names itself, such as `socks.local:1080`.
      case socks5(String, user: String? = nil, password: String? = nil)
    }

    /// The trusted certificate authorities.
    public enum Authorities: Hashable, Sendable {
      /// The store of the system.
      case system
      /// The certificates in a PEM file.
      case file(String)
      /// Certificates in PEM form.
      case pem([UInt8])
    }

    /// A certificate and its key, both in PEM files. They are read once, when the transport is created.
    public struct ClientCertificate: Hashable, Sendable {
      /// The path of the certificate and any intermediate certificates.
      var certificate: String
      /// The path of the key.
      var key: String
      /// The password of the key.
      var password: String?

      /// Creates a client certificate from the paths of its files.
      public init(certificate: String, key: String, password: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.password = password
      }
    }

    /// The accepted keys of a host: the current one and at least one backup, so that replacing a lost key does
    /// not lock out every client.
    ///
    /// Each is the base64-encoded SHA-256 of the public key (SPKI).
    public struct PinnedKeys: Hashable, Sendable {
      /// All keys.
      let keys: [String]

      /// Creates a set of keys.
      public init(current: String, backup: String, others: [String] = []) {
        keys = [current, backup] + others
      }

      /// The keys as an option of libcurl.
      var option: String { keys.map { "sha256//" + $0 }.joined(separator: ";") }
    }
  }

  extension CurlTransport.Configuration {
    /// The error text for invalid or contradictory settings, if any; checked before the first request.
    var contradiction: String? {
      if connectionsPerHost < 1 || streamsPerHost < 1 || exchanges < 1 {
        return "connectionsPerHost is \(connectionsPerHost), streamsPerHost \(streamsPerHost), "
          + "exchanges \(exchanges); each must be at least 1"
      }
      if let unixSocket, !(1...107).contains(unixSocket.utf8.count) {
        return "unixSocket has \(unixSocket.utf8.count) bytes, expected a path of 1 to 107 bytes"
      }
      switch proxy {
      case .http("", _, _), .socks5("", _, _):
        return "the address of the proxy is empty; use .none to connect directly"
      default: break
      }
      for (host, target) in hostOverrides
      where Self.canonical(host) == nil || !Self.namesPort(target) {
        return "hostOverrides maps “\(host)” to “\(target)”; write both as host:port"
      }
      if let host = Self.repeated(hostOverrides.keys.compactMap(Self.canonical)) {
        return "hostOverrides has \(host) twice, in two spellings"
      }
      if let host = Self.repeated(pins.keys.compactMap(Self.canonicalHost)) {
        return "pins has \(host) twice, in two spellings"
      }
      if unixSocket != nil, proxy != .none {
        return "unixSocket and proxy are both set; a Unix socket needs no proxy"
      }
      for (host, keys) in pins {
        guard Self.canonicalHost(host) != nil else {
          return "pins has “\(host)”, expected a host name without scheme and port"
        }
        if Set(keys.keys).count < 2 {
          return "the pins of \(host) have the same key twice; add a different backup key"
        }
        if let pin = keys.keys.first(where: { !Self.isPin($0) }) {
          return "the pin “\(pin)” of \(host) is not a base64-encoded SHA-256 (44 characters)"
        }
      }
      return nil
    }

    /// The settings with every host in the canonical form of ``WebURL``.
    var withCanonicalHosts: Self {
      var settings = self
      settings.pins = [:]
      for (host, keys) in pins { settings.pins[Self.canonicalHost(host) ?? host] = keys }
      settings.hostOverrides = [:]
      for (host, target) in hostOverrides {
        settings.hostOverrides[Self.canonical(host) ?? host] = target
      }
      return settings
    }

    private static func canonicalHost(_ host: String) -> String? {
      // An explicit port ensures that the text contains none.
      guard let url = try? WebURL("https://\(host):1/"), url.description == "https://\(url.host):1/"
      else { return nil }
      return url.host
    }

    /// Returns `host:port` with a canonical host, or `nil` if the text is invalid.
    private static func canonical(_ text: String) -> String? {
      guard namesPort(text), let colon = text.utf8.lastIndex(of: 0x3A),
        let host = canonicalHost(String(text[..<colon]))
      else { return nil }
      return host + text[colon...]
    }

    private static func repeated(_ hosts: [String]) -> String? {
      var seen: Set<String> = []
      return hosts.first { !seen.insert($0).inserted }
    }

    private static func namesPort(_ text: String) -> Bool {
      guard let colon = text.utf8.lastIndex(of: 0x3A), colon != text.startIndex else { return false }
      return UInt16(text[text.utf8.index(after: colon)...]) != nil
    }

    private static func isPin(_ text: String) -> Bool {
      text.utf8.count == 44 && text.hasSuffix("=")
        && text.utf8.dropLast().allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2B || $0 == 0x2F }
    }
  }

  /// The client certificate, read when the transport was created.
  ///
  /// The bytes are kept in memory, so that the certificate sent to servers always matches the ``identity`` that
  /// separates users, even if a file is replaced.
  struct LoadedCertificate: Sendable {
    let certificate: [UInt8]
    let key: [UInt8]
    let password: String?
    /// A digest of the certificate.
    let identity: String

    init(_ files: CurlTransport.ClientCertificate) throws(RequestError) {
      certificate = try Self.contents(of: files.certificate)
      key = files.key == files.certificate ? certificate : try Self.contents(of: files.key)
      password = files.password
      identity = SHA256.name(of: certificate)
    }

    /// The maximum size of a file; larger ones are not certificates.
    private static let maximum = 4 << 20

    private static func contents(of path: String) throws(RequestError) -> [UInt8] {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw unusable(path, String(cString: strerror(errno))) }
      defer { close(file) }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 16 << 10)
      while bytes.count <= maximum {
        let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw unusable(path, String(cString: strerror(errno))) }
        guard count > 0 else { return bytes }
        bytes += piece[..<count]
      }
      throw unusable(path, "it is larger than \(maximum) bytes")
    }

    private static func unusable(_ path: String, _ reason: String) -> RequestError {
      RequestError(.tls(.clientCertificate("\(path) can't be read: \(reason)")))
    }
  }
#endif
