internal import CCurl

/// What the libcurl of this process can do, found out once.
///
/// Distributions carry fixes back without raising the version, so features are asked for and the
/// version only decides where no feature bit exists. What is missing is left out, never trapped on.
struct CurlLibrary: Sendable {
  /// The version as libcurl writes it.
  let version: String
  /// Whether HTTP/2 can be spoken.
  let hasHTTP2: Bool
  /// Codings that can be undone, as `Accept-Encoding` lists them; see ``BodyDecoder``.
  let codings: String
  /// Whether a name lookup can be left behind when a transfer ends before it.
  let canAbandonLookups: Bool
  /// Why the library can't be used at all, if so.
  let failure: String?

  /// Initialises libcurl on first use. It is never torn down: that can't be done safely while any
  /// other code of the process may use it.
  static let shared = CurlLibrary()

  private init() {
    let code = ccurl_global_init()
    guard code == CURLE_OK, let info = ccurl_version() else {
      version = ""
      hasHTTP2 = false
      codings = "identity"
      canAbandonLookups = false
      failure = "libcurl did not start: \(String(cString: curl_easy_strerror(code)))"
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
