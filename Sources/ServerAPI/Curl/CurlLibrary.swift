#if LIBCURL
  internal import CCurl

  /// The features of the libcurl in this process.
  ///
  /// Distributions backport fixes without raising the version, so feature bits decide; the version is only used
  /// where no bit exists. Missing features are left out and never cause a trap.
  struct CurlLibrary: Sendable {
    /// The version as libcurl writes it.
    let version: String
    /// Whether HTTP/2 is supported.
    let hasHTTP2: Bool
    /// The supported codings, as in `Accept-Encoding`; see ``BodyDecoder``.
    let codings: String
    /// Whether a name lookup can be abandoned when its transfer ends.
    let canAbandonLookups: Bool
    /// Why the library can't be used; `nil` if it can.
    let failure: String?

    /// Initializes libcurl on first use. It is never cleaned up, which would be unsafe while other code of the
    /// process may use it.
    static let shared = CurlLibrary()

    private init() {
      let code = ccurl_global_init()
      guard code == CURLE_OK, let info = ccurl_version() else {
        version = ""
        hasHTTP2 = false
        codings = "identity"
        canAbandonLookups = false
        failure = "libcurl can't be initialized: \(String(cString: curl_easy_strerror(code)))"
        return
      }
      let features = info.pointee.features
      func has(_ bit: Int32) -> Bool { features & bit != 0 }
      version = String(cString: info.pointee.version)
      hasHTTP2 = has(CURL_VERSION_HTTP2)
      codings = ccurl_can_inflate() ? "gzip, deflate" : "identity"
      canAbandonLookups = info.pointee.version_num >= 0x07_57_00
      failure =
        has(CURL_VERSION_SSL) ? nil : "this libcurl was built without TLS; install one that has it"
    }
  }
#endif
