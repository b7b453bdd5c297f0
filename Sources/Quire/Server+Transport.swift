#if LIBCURL
  // The transport is in ServerAPI.
#elseif os(Linux)
  internal import FallbackTransport
#else
  internal import URLSessionTransport
#endif

extension Server {
  /// Creates a server with the transport of the platform, which all such servers share. A `base` without a scheme gets
  /// ``Configuration/defaultScheme``, which is `https`.
  ///
  /// On Linux that is `CurlTransport`, or URLSession in a program that uses Quire without the trait `Curl`. On all other
  /// systems it is URLSession.
  public init(_ base: String, configure: (inout Configuration) -> Void = { _ in }) {
    self.init(base, transport: Self.platformTransport, configure: configure)
  }

  #if LIBCURL
    private static var platformTransport: CurlTransport { .shared }
  #else
    private static let platformTransport = URLSessionTransport()
  #endif
}
