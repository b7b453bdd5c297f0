internal import ItemMapping
internal import ServerAPI

extension PageLoader {
  /// Requests a page once more whose response is damaged, on a new connection and past the cache. Throws `error` if
  /// that can't help.
  func response(
    inPlaceOf response: HTTPResponse, to call: Call, _ request: Request, after error: LoadError
  ) async throws(LoadError) -> HTTPResponse {
    let settings = server.configuration
    var call = call
    let retry = call.retry ?? settings.retry
    let mode = call.cache ?? settings.cacheMode
    guard mends, call.repeatReason == nil, mode != .cacheOnly, retry.attempts > 1,
      call.onlyReads || call.method.isIdempotent || call.cacheKey != nil,
      let reason = error.damage(isFirst: request.itemsPath == nil)
    else { throw error }
    call.repeatReason = reason
    call.cache = mode == .noStore ? .noStore : .reload
    var timeouts = call.timeouts ?? settings.timeouts
    timeouts.total -= response.timings.total
    guard timeouts.total > .zero else { throw error }
    call.timeouts = timeouts
    do throws(RequestError) {
      return try await send(call)
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
    case .mapping(.notFound), .mapping(.wrongRoot), .paging(.listNotFound):
      isFirst ? nil : "a response without rows"
    case .request, .mapping, .paging, .decoding, .custom: nil
    }
  }
}
