#if LIBCURL
  import QuireTesting
  import ServerAPI
  import Testing

  /// Helpers of the transport's suites: an address on a loopback server, and the kind of error that a request
  /// ends with.
  extension LoopbackServer {
    func url(_ path: String = "/") throws -> WebURL { try WebURL(baseURL + path) }
  }

  extension HTTPRequest {
    func with(_ change: (inout HTTPRequest) -> Void) -> HTTPRequest {
      var request = self
      change(&request)
      return request
    }
  }

  extension Transport {
    /// Returns the kind of error that `request` ends with; `nil` if it succeeds.
    func failure(_ request: HTTPRequest) async -> RequestError.Kind? {
      do throws(RequestError) {
        _ = try await send(request)
        return nil
      } catch {
        return error.kind
      }
    }
  }
#endif
