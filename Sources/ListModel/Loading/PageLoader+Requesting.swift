internal import ItemMapping
internal import ServerAPI
internal import Support

extension PageLoader {
  /// Returns the call that requests a page.
  ///
  /// However its address was formed, a page after the first one is requested at the origin that the program
  /// named or at the list's home, and redirects lead nowhere else. An origin other than the
  /// program's own gets no credentials, no body, and none of the headers that may be secret.
  func call(for request: Request) throws(LoadError) -> Call {
    var call = request.call
    do throws(PagingError) {
      try request.paging.strategy.apply(request.key, to: &call)
      if let validator = request.validator { call.headers["If-None-Match"] = validator }
      if request.call.body == nil { try call.mergeParams() }
      try keepHome(&call, request)
    } catch {
      throw .paging(error)
    }
    return call
  }

  private func keepHome(_ call: inout Call, _ request: Request) throws(PagingError) {
    // An invalid call fails later with an error of its own.
    guard let asked = asked.origin(of: request.call, server),
      let target = call.address == request.call.address ? asked : server.origin(of: call)
    else { return }
    if let home = request.home {
      let origins = ListOrigins(asked: asked, home: home, allowsOthers: allowsOtherOrigins)
      guard target == asked || origins.allow(target, from: home) else {
        throw .otherOrigin(target.description, expected: home)
      }
      if !allowsOtherOrigins {
        var redirects = call.redirects ?? server.configuration.redirects
        redirects.home = home
        call.redirects = redirects
      }
    }
    guard request.key.isForeign || target != asked else { return }
    guard call.body == nil, call.paramsIn == .query || call.params.isEmpty else {
      throw .wrongCall("it is at another origin, and the body of the call may hold secrets")
    }
    call.isForeign = true
  }

  /// Creates the response with everything that tells its place in the list.
  func pageResponse(
    _ request: Request, _ call: Call, _ response: HTTPResponse, _ envelope: JSONView?,
    itemsPath: JSONPath, count: Int
  ) -> PageResponse {
    var page = PageResponse(
      key: request.key, call: call, response: response, envelope: envelope, itemsPath: itemsPath,
      count: count)
    page.known = request.shape.map { KnownFacts(shape: $0, signs: request.signs) }
    page.origins = asked.origin(of: request.call, server).map { asked in
      ListOrigins(
        asked: asked, home: request.home ?? response.url.origin,
        allowsOthers: allowsOtherOrigins)
    }
    return page
  }

  func pageResponse(
    _ request: Request, _ call: Call, _ response: HTTPResponse, _ read: borrowing DecodedPage<Item>
  ) -> PageResponse {
    pageResponse(
      request, call, response, read.envelope, itemsPath: read.itemsPath, count: read.count)
  }
}

/// The origin that the program named for a list, which is the same for each of its pages.
final class RequestedOrigin: Sendable {
  /// Guards the address that was parsed last.
  private let known = Lock<(address: String, origin: WebURL.Origin)?>(nil)

  func origin(of call: Call, _ server: Server) -> WebURL.Origin? {
    if let known = known.withLock({ $0 }), known.address == call.address { return known.origin }
    guard let origin = server.origin(of: call) else { return nil }
    known.withLock { $0 = (call.address, origin) }
    return origin
  }
}
