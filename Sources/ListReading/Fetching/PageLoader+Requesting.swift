internal import ItemMapping
package import ServerAPI

extension PageLoader {
  /// Returns the call that requests a page.
  ///
  /// However its address was formed, a page after the first one is requested at the origin that the program
  /// named or at the list's home, and redirects lead nowhere else. An origin other than the
  /// program's own gets no credentials, no body, and none of the headers that may be secret.
  package func call(for request: Request) throws(LoadError) -> Call {
    var call = request.call
    do throws(PagingError) {
      try request.paging.strategy.apply(request.key, to: &call)
      call.judge = judge(of: request)
      call.writes = server.writes
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
    guard let asked = server.origin(of: request.call),
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

  /// Creates the response with everything that shows its place in the list.
  func pageResponse(
    _ request: Request, _ call: Call, _ response: HTTPResponse, _ envelope: JSONView?,
    itemsPath: JSONPath, count: Int
  ) -> PageResponse {
    var page = PageResponse(
      key: request.key, call: call, response: response, envelope: envelope, itemsPath: itemsPath,
      count: count)
    page.known = request.shape.map {
      KnownFacts(shape: $0, signs: request.signs, moreSigns: request.moreSigns)
    }
    page.origins = server.origin(of: request.call).map { asked in
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

extension PageLoader {
  /// The result of a call for a page.
  enum Outcome {
    case response(HTTPResponse)
    /// An error whose status means that there is no such page.
    case refusal(status: Int)
  }

  /// Sends the call for a page.
  func outcome(of call: Call, _ request: Request) async throws(LoadError) -> Outcome {
    do throws(RequestError) {
      return .response(try await send(call))
    } catch {
      guard let status = refusal(error, request) else { throw .request(error) }
      return .refusal(status: status)
    }
  }

  /// Returns the status of an error that means that there is no such page; `nil` where it is a failure.
  func refusal(_ error: RequestError, _ request: Request) -> Int? {
    if case .status(let status) = error.kind, !request.key.isOverlap,
      request.paging.strategy.isEnd(status, for: request.key)
        || request.key.doubt != nil && PageKey.refusals.contains(status)
    {
      return status
    }
    // A page that only settles a doubt, and that the server refuses in its own words.
    if case .business = error.kind, !error.kind.isTemporaryFailureOfService,
      request.key.doubt != nil
    {
      return 200
    }
    return nil
  }
}

/// Pages that are requested once more, since the response is damaged or may be meant for another request.
extension PageLoader {
  /// Returns the call that requests a page once more; `nil` if it must not be repeated. Nothing of the response is used
  /// again: neither its connection, nor what is stored of it, nor an exchange that others share. Both calls together
  /// have the time, the retries and the waits of one.
  func repeating(
    _ call: Call, after response: HTTPResponse, because reason: String
  ) -> Call? {
    let settings = server.configuration
    let mode = settings.cacheMode(of: call)
    guard call.repeatReason == nil, mode != .cacheOnly,
      call.onlyReads || call.method.isIdempotent || call.cacheKey != nil
        || call.headers.hasIdempotencyKey
    else { return nil }
    var timeouts = call.timeouts ?? settings.timeouts
    timeouts.total -= response.timings.total - response.limitWait - response.paceWait
    guard timeouts.total > .zero else { return nil }
    var retry = call.retry ?? settings.retry
    retry.attempts = max(1, retry.attempts - response.retries - 1)
    retry.maximumRetryAfter -= response.limitWait
    var call = call
    call.timeouts = timeouts
    call.retry = retry
    call.repeatReason = reason
    call.cache = mode == .noStore ? .noStore : .reload
    call.sharesExchange = false
    return call
  }

  /// Requests a page once more whose response is damaged. Throws `error` if that can't help.
  func response(
    inPlaceOf response: HTTPResponse, to call: Call, _ request: Request, after error: LoadError
  ) async throws(LoadError) -> (Call, HTTPResponse) {
    let retry = call.retry ?? server.configuration.retry
    guard mends, retry.attempts - response.retries > 1,
      let reason = error.damage(isFirst: request.itemsPath == nil),
      let call = repeating(call, after: response, because: reason)
    else { throw error }
    do throws(RequestError) {
      return (call, try await send(call))
    } catch {
      throw .request(error)
    }
  }
}

extension LoadError {
  /// What is damaged in a response that could not be read; `nil` if another one would be the same.
  ///
  /// - Parameter isFirst: Whether no response with rows came before. Otherwise one without rows is damaged.
  func damage(isFirst: Bool) -> String? {
    switch self {
    case .mapping(.invalidJSON): "a response that is not JSON"
    case .request(let error) where error.kind == .unexpectedContent(.captivePortal): "a web page"
    case .mapping(.notFound), .mapping(.wrongRoot), .paging(.listNotFound):
      isFirst ? nil : "a response without rows"
    case .request, .mapping, .paging, .decoding, .custom: nil
    }
  }
}
