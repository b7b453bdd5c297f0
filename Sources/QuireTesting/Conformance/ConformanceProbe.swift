internal import ServerAPI

/// The means of a case: a host, a transport, and checks that report failures.
struct ConformanceProbe: Sendable {
  let host: any ConformanceHost
  let transport: any Transport

  /// Sets up a URL that responds as the closure decides.
  func exchange(
    _ change: (inout ConformanceResponse) -> Void = { _ in }
  ) async throws -> ConformanceExchange {
    var response = ConformanceResponse(body: .bytes(Array("hello".utf8)))
    change(&response)
    return try await host.exchange(response)
  }

  /// Creates a request to an exchange. Its default timeouts make sure that it ends.
  func request(
    _ exchange: ConformanceExchange, _ method: HTTPMethod = .get,
    _ change: (inout HTTPRequest) -> Void = { _ in }
  ) -> HTTPRequest {
    var request = HTTPRequest(method, exchange.url)
    change(&request)
    return request
  }

  /// Sends a request, and expects an error that the closure matches.
  func expectFailure(
    of request: HTTPRequest, _ expected: String, _ matches: (RequestError.Kind) -> Bool
  ) async throws {
    do throws(RequestError) {
      let response = try await transport.send(request)
      throw RequestError(.status(response.status))
    } catch {
      if case .status(let status) = error.kind {
        throw BrokenPromise(reason: "expected \(expected), got a response with status \(status)")
      }
      try check(matches(error.kind), "expected \(expected), got \(error.kind)")
    }
  }

  /// Sends a request on its own task, for cases that cancel.
  func start(_ request: HTTPRequest) -> Task<Result<HTTPResponse, RequestError>, Never> {
    Task { [transport] in
      do throws(RequestError) {
        return .success(try await transport.send(request))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Expects that a cancelled call ends as cancelled. Nothing else can end it: the server is silent or the
  /// receiver is busy until then.
  func expectCancelled(
    _ call: Task<Result<HTTPResponse, RequestError>, Never>
  ) async throws {
    switch await call.value {
    case .success(let response):
      throw BrokenPromise(
        reason: "expected cancelled, got a response with status \(response.status)")
    case .failure(let error):
      try check(
        error.kind == .cancelled(.byCaller), "expected cancelled by the caller, got \(error.kind)")
    }
  }

  func check(_ isTrue: Bool, _ reason: @autoclosure () -> String) throws {
    if !isTrue { throw BrokenPromise(reason: reason()) }
  }

  func expect<Value: Equatable>(_ what: String, _ got: Value, _ expected: Value) throws {
    try check(got == expected, "\(what): expected \(expected), got \(got)")
  }

  /// Compares bodies without writing megabytes into a report.
  func expectBytes(_ what: String, _ got: [UInt8], _ expected: [UInt8]) throws {
    if got == expected { return }
    let same = zip(got, expected).prefix { $0 == $1 }.count
    throw BrokenPromise(
      reason: "\(what): \(got.count) bytes of \(expected.count), different from byte \(same) on")
  }
}

extension ResponseBody {
  var array: [UInt8] { withUnsafeBytes { Array($0) } }
}
