#if LIBCURL
  internal import CCurl

  /// Detects addresses in which two parsers would find different hosts.
  enum CurlAddress {
    /// Returns how libcurl parses an address differently, as text; `nil` if it agrees.
    static func parserMismatch(for url: WebURL) -> String? {
      guard let parsed = curl_url() else { return "can't be parsed by libcurl" }
      defer { curl_url_cleanup(parsed) }
      let code = curl_url_set(parsed, CURLUPART_URL, url.description, 0)
      guard code == CURLUE_OK else { return String(cString: curl_url_strerror(code)) }
      let host = part(CURLUPART_HOST, of: parsed, 0)
      let port = part(CURLUPART_PORT, of: parsed, UInt32(CURLU_DEFAULT_PORT))
      guard host?.lowercased() == url.host, port == String(url.port) else {
        return "is ambiguous: its server is \(url.host):\(url.port), but libcurl reads"
          + " \(host ?? "nothing"):\(port ?? "nothing"); write it in a simpler form"
      }
      return nil
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, _ flags: UInt32) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
  }

  extension InternationalName {
    /// What knows the rules of such names.
    static let library = "libidn2"

    /// Returns the ASCII form of a name, or why there is none.
    static func ascii(_ name: Substring) -> Result<String, Failure> {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { room in
        switch ccurl_ace(String(name), room.baseAddress, room.count) {
        case CCURL_ACE_FOUND:
          let bytes = room.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
          return .success(String(decoding: bytes, as: UTF8.self))
        case CCURL_ACE_UNAVAILABLE: return .failure(.noLibrary)
        default: return .failure(.invalid)
        }
      }
    }
  }
#endif
