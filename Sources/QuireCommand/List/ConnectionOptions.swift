internal import Quire

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How requests are sent: the options that depend on the transport.
struct ConnectionOptions: Sendable {
  #if LIBCURL
    private var authorities = CurlTransport.Authorities.system
    private var clientCertificate: CurlTransport.ClientCertificate?
    private var offersHTTP2: Bool
    var proxy = CurlTransport.Proxy.environment

    init(_ arguments: Arguments) throws(UsageError) {
      offersHTTP2 = !arguments.has("http1")
      for name in ["cacert", "cert", "key"] {
        if let path = arguments[name], !FileManager.default.isReadableFile(atPath: path) {
          throw UsageError("--\(name): the file \(path) can't be read")
        }
      }
      if let path = arguments["cacert"] { authorities = .file(path) }
      if let path = arguments["cert"] {
        clientCertificate = .init(certificate: path, key: arguments["key"] ?? path)
      }
      if let text = arguments["proxy"] { proxy = try CurlTransport.Proxy(option: text) }
    }

    /// Returns a server whose transport takes this number of requests at once.
    func server(
      _ origin: String, parallel: Int, configure: (inout Server.Configuration) -> Void
    ) -> Server {
      let transport = CurlTransport {
        $0.authorities = authorities
        $0.clientCertificate = clientCertificate
        $0.offersHTTP2 = offersHTTP2
        $0.proxy = proxy
        $0.connectionsPerHost = max($0.connectionsPerHost, parallel)
      }
      return Server(origin, transport: transport, configure: configure)
    }
  #else
    init(_ arguments: Arguments) throws(UsageError) {
      for name in ["http1", "cacert", "cert", "key", "proxy"] where arguments.has(name) {
        throw UsageError("--\(name) can't be used: this quire was built without libcurl")
      }
    }

    func server(
      _ origin: String, parallel: Int, configure: (inout Server.Configuration) -> Void
    ) -> Server { Server(origin, configure: configure) }
  #endif
}
