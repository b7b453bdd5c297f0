internal import Support

extension CurlTransport {
  /// How connections are made. The defaults verify certificates, use no proxy and read nothing from
  /// the environment.
  public struct Configuration: Hashable, Sendable {
    /// Connections to one origin at a time while it speaks HTTP/1.1. The default is 8.
    public var connectionsPerHost = 8
    /// Exchanges at a time on one origin that speaks HTTP/2. The default is 100.
    public var streamsPerHost = 100
    /// Exchanges at a time over all origins. The default is 256.
    public var exchanges = 256
    /// How long an unused connection is kept, and the thread with it. The default is one minute.
    public var idleLifetime: Duration = .seconds(60)
    /// Whether HTTP/2 is offered to `https` servers. The default is yes.
    public var offersHTTP2 = true
    /// What stands between this machine and the servers. The default is nothing.
    public var proxy = Proxy.none
    /// Whom to trust and how to show who we are.
    public var tls = TLS()
    /// A Unix socket that takes the place of every host; the address still names host and path.
    public var unixSocket: String?
    /// Where to connect instead: `["api.example.com:443": "127.0.0.1:8443"]`. Certificates are
    /// checked against the name in the address.
    public var hostOverrides: [String: String] = [:]

    /// The defaults.
    public init() {}
  }

  /// What stands between this machine and the servers.
  public enum Proxy: Hashable, Sendable {
    /// Connect directly, whatever the environment says.
    case none
    /// Obey `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    /// An HTTP proxy, such as `http://proxy.local:3128`, with credentials for it.
    case http(String, user: String? = nil, password: String? = nil)
    /// A SOCKS 5 proxy that resolves names itself, such as `socks.local:1080`.
    case socks5(String, user: String? = nil, password: String? = nil)
  }

  /// Whom to trust and how to show who we are. Verification can't be turned off.
  public struct TLS: Hashable, Sendable {
    /// Who may vouch for a server. The default is the store of the system.
    public var authorities = Authorities.system
    /// The certificate shown to servers that ask for one. A ``Server`` shows it at the origin of its
    /// base address only, and not once a redirect has left that.
    public var clientCertificate: ClientCertificate?
    /// Hosts whose key must be one of these, on top of all other checks.
    public var pins: [String: PinnedKeys] = [:]
    /// Whether TLS 1.2 is refused too, so that only TLS 1.3 is left. The default is no.
    public var requiresTLS13 = false

    /// The defaults.
    public init() {}
  }

  /// Who may vouch for a server.
  public enum Authorities: Hashable, Sendable {
    /// The store of the system.
    case system
    /// The certificates in a PEM file.
    case file(String)
    /// Certificates in PEM form.
    case pem([UInt8])
  }

  /// A certificate with its key, both PEM files. They are read once, when the transport is made.
  public struct ClientCertificate: Hashable, Sendable {
    /// The path of the certificate, with any intermediate ones.
    public var certificate: String
    /// The path of the key.
    public var key: String
    /// What unlocks the key.
    public var password: String?

    /// Names the files.
    public init(certificate: String, key: String, password: String? = nil) {
      self.certificate = certificate
      self.key = key
      self.password = password
    }
  }

  /// The keys a host may have: the one in use and at least one kept in reserve, so that replacing a
  /// lost key does not lock every client out.
  ///
  /// Each is the base64 text of the SHA-256 of the public key (SPKI).
  public struct PinnedKeys: Hashable, Sendable {
    /// All keys.
    public let keys: [String]

    /// The key in use and those in reserve.
    public init(current: String, backup: String, others: [String] = []) {
      keys = [current, backup] + others
    }

    /// As libcurl reads them.
    var option: String { keys.map { "sha256//" + $0 }.joined(separator: ";") }
  }
}

extension CurlTransport.Configuration {
  /// Settings that can't all be meant, in words; checked before the first request.
  var contradiction: String? {
    if connectionsPerHost < 1 || streamsPerHost < 1 || exchanges < 1 {
      return "connectionsPerHost is \(connectionsPerHost), streamsPerHost \(streamsPerHost), "
        + "exchanges \(exchanges); each must be at least 1"
    }
    if let unixSocket, !(1...107).contains(unixSocket.utf8.count) {
      return "unixSocket has \(unixSocket.utf8.count) bytes; a path of 1 … 107 bytes is expected"
    }
    switch proxy {
    case .http("", _, _), .socks5("", _, _):
      return "the address of the proxy is empty; use .none to connect directly"
    default: break
    }
    for (host, target) in hostOverrides
    where Self.canonical(host) == nil || !Self.namesPort(target) {
      return "hostOverrides has “\(host)” to “\(target)”; both must be written as host:port"
    }
    if let host = Self.repeated(hostOverrides.keys.compactMap(Self.canonical)) {
      return "hostOverrides names \(host) twice, in two spellings"
    }
    if let host = Self.repeated(tls.pins.keys.compactMap(Self.canonicalHost)) {
      return "the pins name \(host) twice, in two spellings"
    }
    if unixSocket != nil, proxy != .none {
      return "both unixSocket and proxy are set; a Unix socket is reached without a proxy"
    }
    for (host, pins) in tls.pins {
      guard Self.canonicalHost(host) != nil else {
        return
          "“\(host)” among the pins is not a host as addresses have it, without scheme and port"
      }
      if Set(pins.keys).count < 2 {
        return "the pins of \(host) name one key twice; a second key in reserve is required"
      }
      if let pin = pins.keys.first(where: { !Self.isPin($0) }) {
        return "“\(pin)” of \(host) is not the base64 text of a SHA-256 (44 characters)"
      }
    }
    return nil
  }

  /// The same settings with every host in the form that ``WebURL`` gives it.
  var withCanonicalHosts: Self {
    var settings = self
    settings.tls.pins = [:]
    for (host, keys) in tls.pins { settings.tls.pins[Self.canonicalHost(host) ?? host] = keys }
    settings.hostOverrides = [:]
    for (host, target) in hostOverrides {
      settings.hostOverrides[Self.canonical(host) ?? host] = target
    }
    return settings
  }

  private static func canonicalHost(_ host: String) -> String? {
    // With a port of our own, none can hide in the text.
    guard let url = try? WebURL("https://\(host):1/"), url.description == "https://\(url.host):1/"
    else { return nil }
    return url.host
  }

  /// `host:port` with a canonical host.
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
