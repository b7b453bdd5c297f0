extension Server {
  /// Makes one call and returns its answer.
  ///
  /// The call ends exactly once: with an answer that passed validation, or with an error that says
  /// why not. ``Timeouts/total`` covers everything in between. Cancelling the task ends the call
  /// with ``RequestError/Kind/cancelled(_:)`` at once, in whatever stage it is; where others share
  /// its exchange, theirs goes on.
  public func send(_ call: Call) async throws(RequestError) -> HTTPResponse {
    let start = core.configuration.time.now()
    let pipeline = CallPipeline(core, call, start: start)
    var request: HTTPRequest?
    do throws(RequestError) {
      let prepared = try pipeline.prepare(call)
      request = prepared
      // Stages that run in a task of their own would not see it before their first exchange.
      guard !Task.isCancelled else { throw RequestError(.cancelled(.byCaller)) }
      var response = try await pipeline.inTime(prepared)
      response.timings.total = core.configuration.time.now() - start
      pipeline.trace?.finish(.success(response))
      return response
    } catch {
      var error = error
      error.timings.total = core.configuration.time.now() - start
      if error.request.isEmpty, let request { error.request = request.summary }
      pipeline.trace?.finish(.failure(error))
      throw error
    }
  }

  /// Makes one call and hands the body of its answer over piece by piece.
  ///
  /// The size of the body is not limited unless the call says so. Once a piece was handed over the
  /// call is not tried again, so the receiver sees each byte once.
  public func stream(
    _ call: Call, to receiver: @escaping BodyReceiver
  ) async throws(RequestError) -> HTTPResponse {
    var call = call
    call.receiver = receiver
    call.limits = call.limits ?? .unlimitedBody
    return try await send(call)
  }
}
