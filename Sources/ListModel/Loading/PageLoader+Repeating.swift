internal import ItemMapping
internal import ServerAPI

/// Pages that are requested once more, since the response is damaged or may be meant for another request.
extension PageLoader {
  /// Returns the call that requests a page once more; `nil` if it must not be repeated. Nothing of the response is used
  /// again: neither its connection, nor what is stored of it, nor an exchange that others share.
  func repeating(
    _ call: Call, after response: HTTPResponse, because reason: String
  ) -> Call? {
    let settings = server.configuration
    let mode = call.cache ?? settings.cacheMode
    guard call.repeatReason == nil, mode != .cacheOnly,
      call.onlyReads || call.method.isIdempotent || call.cacheKey != nil
    else { return nil }
    var timeouts = call.timeouts ?? settings.timeouts
    timeouts.total -= response.timings.total
    guard timeouts.total > .zero else { return nil }
    var call = call
    call.timeouts = timeouts
    call.repeatReason = reason
    call.cache = mode == .noStore ? .noStore : .reload
    call.sharesExchange = false
    return call
  }

  /// Requests a page once more whose response is damaged. Throws `error` if that can't help.
  func response(
    inPlaceOf response: HTTPResponse, to call: Call, _ request: Request, after error: LoadError
  ) async throws(LoadError) -> (Call, HTTPResponse) {
    guard mends, (call.retry ?? server.configuration.retry).attempts > 1,
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
    case .mapping(.notFound), .mapping(.wrongRoot), .paging(.listNotFound):
      isFirst ? nil : "a response without rows"
    case .request, .mapping, .paging, .decoding, .custom: nil
    }
  }
}
