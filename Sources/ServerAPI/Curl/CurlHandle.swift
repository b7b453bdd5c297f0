#if LIBCURL
  internal import CCurl
  internal import Support

  /// An easy handle that is reused.
  ///
  /// Options that are the same for all requests of a transport are set when the handle is created. All other
  /// options are set for each request, so that none of the previous request remains. libcurl's own handling of
  /// redirects, cookies, `.netrc` and authentication stays off.
  ///
  /// Belongs to the thread that uses the engine.
  final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    /// Lists that libcurl uses without copying them.
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var overrideList: UnsafeMutablePointer<curl_slist>?
    /// The current values of options, so that equal ones are not set again.
    private var headers: [HTTPHeaders.Field]?
    private var pins: String?
    private var showsCertificate = false
    private let configuration: CurlTransport.Configuration
    private let certificate: LoadedCertificate?
    private let library: CurlLibrary
    /// The error for an option that libcurl has rejected. Without it, the request could go to another host, or to
    /// one that is not verified.
    private(set) var optionError: String?

    init?(
      _ configuration: CurlTransport.Configuration, _ certificate: LoadedCertificate?,
      library: CurlLibrary
    ) {
      guard let easy = curl_easy_init() else { return nil }
      self.easy = easy
      self.configuration = configuration
      self.certificate = certificate
      self.library = library
      errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
      errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      setFixedOptions()
    }

    deinit {
      curl_easy_cleanup(easy)
      curl_slist_free_all(headerList)
      curl_slist_free_all(overrideList)
      errorText.deallocate()
    }

    /// The text of libcurl for the last failure.
    var failureText: String { String(cString: errorText) }

    private func set(_ option: CURLoption, _ value: Int) {
      check(ccurl_set_long(easy, option, value), option)
    }
    private func set(_ option: CURLoption, _ text: String?) {
      check(text.map { ccurl_set_string(easy, option, $0) } ?? unset(option), option)
    }
    private func setBlob(_ option: CURLoption, _ bytes: [UInt8]?) {
      guard let bytes else { return check(ccurl_unset_blob(easy, option), option) }
      bytes.withUnsafeBytes {
        check(ccurl_set_blob(easy, option, $0.baseAddress, $0.count), option)
      }
    }
    private func unset(_ option: CURLoption) -> CURLcode { ccurl_set_string(easy, option, nil) }

    private func check(_ code: CURLcode, _ option: CURLoption) {
      guard code != CURLE_OK, optionError == nil else { return }
      optionError =
        "libcurl \(library.version) rejects option \(option.rawValue): "
        + String(cString: curl_easy_strerror(code))
    }

    /// Sets the options that are the same for all requests. The defaults are right for all others: cookies, HSTS,
    /// Alt-Svc, transfer codings and the low speed limit are off. Our own timer replaces the last one.
    private func setFixedOptions() {
      set(CURLOPT_NOSIGNAL, 1)
      if library.canAbandonLookups { set(CURLOPT_QUICK_EXIT, 1) }
      set(CURLOPT_PROTOCOLS_STR, "http,https")
      set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
      set(CURLOPT_FOLLOWLOCATION, 0)
      set(CURLOPT_UNRESTRICTED_AUTH, 0)
      set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
      set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
      set(CURLOPT_HTTP09_ALLOWED, 0)
      set(CURLOPT_PATH_AS_IS, 1)
      set(CURLOPT_TCP_KEEPALIVE, 1)
      set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      set(CURLOPT_MAXAGE_CONN, max(1, configuration.idleLifetime.milliseconds / 1_000))
      // A busy connection is replaced periodically, so that a changed address is noticed.
      set(CURLOPT_MAXLIFETIME_CONN, 600)
      set(
        CURLOPT_HTTP_VERSION,
        speaksHTTP2 ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
      ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
      setRoute()
      setTLS()
      CurlTransfer.installCallbacks(on: easy)
    }

    private func setRoute() {
      if let path = configuration.unixSocket { set(CURLOPT_UNIX_SOCKET_PATH, path) }
      for (host, target) in configuration.hostOverrides {
        overrideList = curl_slist_append(overrideList, "\(host):\(target)")
      }
      check(ccurl_set_list(easy, CURLOPT_CONNECT_TO, overrideList), CURLOPT_CONNECT_TO)
      switch configuration.proxy {
      // The result is ignored: a libcurl that was built without proxies rejects the option.
      case .none: ccurl_set_string(easy, CURLOPT_PROXY, "")
      case .environment: set(CURLOPT_PROXY, nil)
      case .http(let address, let user, let password):
        setProxy(address, type: Int(CURLPROXY_HTTP.rawValue), user: user, password: password)
      case .socks5(let address, let user, let password):
        setProxy(
          address, type: Int(CURLPROXY_SOCKS5_HOSTNAME.rawValue), user: user, password: password)
      }
    }

    private func setProxy(_ address: String, type: Int, user: String?, password: String?) {
      set(CURLOPT_PROXY, address)
      set(CURLOPT_PROXYTYPE, type)
      set(CURLOPT_NOPROXY, "")
      // libcurl percent-decodes both, which would change a password such as “%41”.
      let encode = PercentEncoding.component.encode
      let credentials = user.map { encode($0) + (password.map { ":" + encode($0) } ?? "") }
      set(CURLOPT_PROXYUSERPWD, credentials)
    }

    private func setTLS() {
      set(CURLOPT_SSL_VERIFYPEER, 1)
      set(CURLOPT_SSL_VERIFYHOST, 2)
      set(
        CURLOPT_SSLVERSION,
        Int(configuration.requiresTLS13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2))
      if configuration.proxy != .none {
        set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
      }
      switch configuration.authorities {
      case .system: break
      case .file(let path):
        set(CURLOPT_CAINFO, path)
        set(CURLOPT_CAPATH, nil)
      case .pem(let bytes):
        set(CURLOPT_CAINFO, nil)
        set(CURLOPT_CAPATH, nil)
        setBlob(CURLOPT_CAINFO_BLOB, bytes)
      }
      set(CURLOPT_KEYPASSWD, certificate?.password)
    }
  }

  extension CurlHandle {
    /// Sets the options that differ between requests. `remaining` is the remaining total time.
    func prepare(for transfer: CurlTransfer, remaining: Duration) {
      let request = transfer.request
      errorText.pointee = 0
      set(CURLOPT_URL, request.url.description)
      setMethod(of: transfer)
      setHeaders(of: request)
      setSharing(of: request.url)
      set(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect.milliseconds)
      set(CURLOPT_TIMEOUT_MS, remaining.milliseconds)
      set(CURLOPT_FRESH_CONNECT, request.wantsFreshConnection ? 1 : 0)
      // The result is ignored: after a transfer that ended early, the handle may keep its old buffer.
      ccurl_set_long(easy, CURLOPT_BUFFERSIZE, request.receiver == nil ? 64 << 10 : 256 << 10)
      let wanted = pinOption(for: request.url.host)
      if pins != wanted {
        set(CURLOPT_PINNEDPUBLICKEY, wanted)
        pins = wanted
      }
      setCertificate(isShown: request.allowsClientCertificate)
      transfer.attach(to: easy)
    }

    /// Whether connections with TLS may use HTTP/2.
    private var speaksHTTP2: Bool { library.hasHTTP2 && configuration.offersHTTP2 }

    /// Lets a request wait for a connection that is being made only if its handshake will show whether both can share it
    /// (ALPN). Without TLS, libcurl would wait until the first response has arrived.
    private func setSharing(of url: WebURL) {
      set(CURLOPT_PIPEWAIT, speaksHTTP2 && url.scheme == "https" ? 1 : 0)
    }

    /// Sets or removes the client certificate. libcurl never reuses a connection with the certificate for a
    /// request without it, or vice versa.
    private func setCertificate(isShown: Bool) {
      guard let certificate, isShown != showsCertificate else { return }
      setBlob(CURLOPT_SSLCERT_BLOB, isShown ? certificate.certificate : nil)
      setBlob(CURLOPT_SSLKEY_BLOB, isShown ? certificate.key : nil)
      showsCertificate = isShown
    }

    /// Closes a connection on which bytes follow the response: libcurl reads only up to the announced end of a body and
    /// keeps the connection, so that further bytes would become the start of the next response.
    func closeConnectionWithUnreadBytes() {
      let socket = ConnectedSocket(ccurl_active_socket(easy))
      if socket.number >= 0, socket.hasUnreadBytes { socket.drainAndShutDown() }
    }

    private func pinOption(for host: String) -> String? {
      configuration.pins.isEmpty ? nil : configuration.pins[host]?.option
    }

    private func setMethod(of transfer: CurlTransfer) {
      let request = transfer.request
      let carriesBody =
        request.body != nil || [.post, .put, .patch].contains(request.method)
      if request.method == .head {
        // Resets a previous upload too, which "no body" alone does not.
        set(CURLOPT_HTTPGET, 1)
        set(CURLOPT_NOBODY, 1)
      } else if carriesBody {
        set(CURLOPT_UPLOAD, 1)
        ccurl_set_off(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body?.length ?? 0))
      } else {
        set(CURLOPT_HTTPGET, 1)
      }
      let isPlainGet = request.method == .get && !carriesBody
      set(CURLOPT_CUSTOMREQUEST, isPlainGet ? nil : request.method.rawValue)
    }

    private func setHeaders(of request: HTTPRequest) {
      guard headers != request.headers.fields else { return }
      var list: UnsafeMutablePointer<curl_slist>?
      var namesAccept = false
      for field in request.headers.fields {
        namesAccept = namesAccept || field.name.equalsIgnoringCase("Accept")
        // The semicolon makes libcurl send a field without a value.
        let isBlank = field.value.utf8.allSatisfy(\.isBlank)
        let line = isBlank ? field.name + ";" : field.name + ": " + field.value
        list = curl_slist_append(list, line)
      }
      // A name without a value removes the field that libcurl would add itself.
      if !namesAccept { list = curl_slist_append(list, "Accept:") }
      if request.headers["Accept-Encoding"] == nil {
        list = curl_slist_append(list, "Accept-Encoding: " + library.codings)
      }
      list = curl_slist_append(list, "Expect:")
      check(ccurl_set_list(easy, CURLOPT_HTTPHEADER, list), CURLOPT_HTTPHEADER)
      curl_slist_free_all(headerList)
      headerList = list
      headers = request.headers.fields
    }
  }
#endif
