internal import ItemMapping
internal import ServerAPI
internal import Support

extension PageLoader {
  /// The call as it is made.
  ///
  /// Whatever made the address, a page behind the first one is asked for at the origin that the program
  /// named or where the list is at home, and redirects lead nowhere else. An origin other than the
  /// program's own gets no credentials, no body, and none of its fields that may be secret.
  func call(for request: Request) throws(LoadError) -> Call {
    var call = request.call
    do throws(PagingError) {
      try request.paging.strategy.ask(for: request.key, in: &call)
      try keepHome(&call, request)
    } catch {
      throw .paging(error)
    }
    return call
  }

  private func keepHome(_ call: inout Call, _ request: Request) throws(PagingError) {
    // A call that can't be made says so itself.
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
    guard call.body == nil else {
      throw .wrongCall(
        "the next page is at another origin and the call has a body",
        expected: "a call without a body, which may hold secrets")
    }
    call.isForeign = true
  }

  /// A response with all that can tell its place in the list.
  func answer(
    _ request: Request, _ call: Call, _ response: HTTPResponse, _ envelope: JSONView?,
    itemsPath: JSONPath, count: Int
  ) -> PageResponse {
    var answer = PageResponse(
      key: request.key, call: call, response: response, envelope: envelope, itemsPath: itemsPath,
      count: count)
    answer.origins = asked.origin(of: request.call, server).map { asked in
      ListOrigins(
        asked: asked, home: request.home ?? response.url.origin,
        allowsOthers: allowsOtherOrigins)
    }
    return answer
  }

  func answer(
    _ request: Request, _ call: Call, _ response: HTTPResponse, _ read: borrowing DecodedPage<Item>
  ) -> PageResponse {
    answer(
      request, call, response, read.envelope, itemsPath: read.itemsPath, count: read.count)
  }
}

/// Where a list is asked for, which is the same for each of its pages.
final class AskedOrigin: Sendable {
  /// Guards the address that was read last.
  private let known = Lock<(address: String, origin: WebURL.Origin)?>(nil)

  func origin(of call: Call, _ server: Server) -> WebURL.Origin? {
    if let known = known.withLock({ $0 }), known.address == call.address { return known.origin }
    guard let origin = server.origin(of: call) else { return nil }
    known.withLock { $0 = (call.address, origin) }
    return origin
  }
}
