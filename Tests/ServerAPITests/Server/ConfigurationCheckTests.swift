import Testing

@testable import ServerAPI

@Suite struct ConfigurationCheckTests {
  private static let contradictions: [(@Sendable (inout Server.Configuration) -> Void, String)] = [
    ({ $0.defaultScheme = "ftp" }, "defaultScheme is “ftp”, expected http or https"),
    ({ $0.timeouts.connect = .zero }, "timeouts.connect is 0.0 seconds, expected more than zero"),
    ({ $0.timeouts.idle = .seconds(-1) }, "timeouts.idle is -1.0 seconds, expected more than zero"),
    ({ $0.timeouts.total = .zero }, "timeouts.total is 0.0 seconds, expected more than zero"),
    ({ $0.limits.headerBytes = 0 }, "limits.headerBytes is 0, expected at least 1"),
    ({ $0.limits.headerCount = 0 }, "limits.headerCount is 0, expected at least 1"),
    ({ $0.limits.wireBytes = 0 }, "limits.wireBytes is 0, expected at least 1"),
    ({ $0.limits.decodedBytes = -5 }, "limits.decodedBytes is -5, expected at least 1"),
    ({ $0.limits.decompressionRatio = 0 }, "limits.decompressionRatio is 0, expected at least 1"),
    ({ $0.limits.decompressionFloor = -1 }, "limits.decompressionFloor is -1, expected at least 0"),
    ({ $0.limits.redirectBodyBytes = -1 }, "limits.redirectBodyBytes is -1, expected at least 0"),
    ({ $0.retry.attempts = 0 }, "retry.attempts is 0, expected at least 1"),
    (
      { $0.retry.baseDelay = .seconds(-1) },
      "retry.baseDelay is -1.0 seconds, expected at least zero"
    ),
    (
      { $0.retry.maximumDelay = .seconds(-2) },
      "retry.maximumDelay is -2.0 seconds, expected at least zero"
    ),
    (
      { $0.retry.maximumRetryAfter = .seconds(-3) },
      "retry.maximumRetryAfter is -3.0 seconds, expected at least zero"
    ),
    ({ $0.redirects.maximum = -1 }, "redirects.maximum is -1, expected at least 0"),
    ({ $0.content = .types([]) }, "content is .types([]), expected at least one type"),
    (
      {
        $0.keepsCookies = true
        $0.headers["cookie"] = "a=b"
      }, "cookies are set twice: keepsCookies and headers[\"Cookie\"]; remove one"
    ),
  ]

  @Test(arguments: contradictions.indices)
  func `a contradiction is reported with its values`(_ index: Int) {
    var configuration = Server.Configuration()
    Self.contradictions[index].0(&configuration)
    let problem = Self.contradictions[index].1
    #expect(
      configuration.check() == RequestError(.invalidRequest(.init(.configuration, problem))))
  }

  @Test func `credentials in another field may be combined with others`() {
    var configuration = Server.Configuration()
    configuration.headers = ["X-Api-Key": "a", "Authorization": "b"]
    configuration.authentication = .header("X-Other", "c")
    #expect(configuration.check() == nil)
    configuration.authentication = .header("x-api-key", "c")
    #expect(
      configuration.check()
        == RequestError(
          .invalidRequest(
            .init(
              .configuration,
              "credentials are set twice: authentication and headers[\"x-api-key\"]; remove one"
            ))))
  }

  @Test func `fields of a server are validated like all fields`() {
    var configuration = Server.Configuration()
    configuration.headers["Content-Length"] = "5"
    #expect(
      configuration.check()
        == RequestError(
          .invalidRequest(
            .init(.headerName, "Content-Length is set by the client; remove it"))))
  }

  @Test func `the defaults and unusual but valid settings are accepted`() {
    var configuration = Server.Configuration()
    #expect(configuration.check() == nil)
    configuration.timeouts = HTTPRequest.Timeouts(connect: .seconds(90), total: .seconds(5))
    configuration.limits = .unlimitedBody
    configuration.limits.redirectBodyBytes = 0
    configuration.redirects.maximum = 0
    configuration.retry.attempts = 1
    #expect(configuration.check() == nil)
  }
}
