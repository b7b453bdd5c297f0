#if LIBCURL
  internal import Support

  /// The proxies in the environment of the process, as libcurl reads them.
  enum ProxyEnvironment {
    /// Whether a request to a host can go through a proxy.
    static func hasProxy(for host: String) -> Bool {
      hasProxy(for: host) { name in getenv(name).map { String(cString: $0) } }
    }

    /// Whether a request to a host can go through a proxy.
    ///
    /// - Parameter value: Returns the value of a variable.
    static func hasProxy(for host: String, _ value: (String) -> String?) -> Bool {
      // The name in capitals is that of a header in CGI programs.
      let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      guard names.contains(where: { value($0)?.isEmpty == false }) else { return false }
      let exceptions = value("no_proxy") ?? value("NO_PROXY") ?? ""
      let host = host.lowercased().drop { $0 == "[" }.prefix { $0 != "]" }
      return !exceptions.lowercased().split(whereSeparator: { ", ".contains($0) }).contains { name in
        if name == "*" { return true }
        let name = name.drop { $0 == "." || $0 == "[" }.prefix { $0 != "]" }
        return host == name || host.hasSuffix(".\(name)")
      }
    }
  }
#endif
