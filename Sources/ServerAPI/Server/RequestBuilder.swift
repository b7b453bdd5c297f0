internal import Support

/// Turns a call into a request. Pure: the same server, base and call give the same request.
///
/// ## Where it goes
///
/// | address of the call | goes to |
/// | --- | --- |
/// | `""` | the base itself |
/// | `books`, `/books` | below the path of the base, with one slash between them |
/// | `../books` | up from the path of the base, as far as the root of its host |
/// | `?page=2` | the base with more parameters |
/// | `https://…`, `//host/…` | where it says; path and query of the base do not count |
///
/// ## Which parameters it has
///
/// In this order: those in the query of the base, in that of the address, of the server, of the
/// call. A name that stands in several of these is taken from one of them: from the call rather
/// than the address, from the address rather than the server, from the server rather than the base.
///
/// ## What stays at home
///
/// Fields and parameters of the server go to the origin of the base only. For an address of another
/// origin only those fields are left that describe what is wanted, such as `Accept`; those of the call
/// itself are sent.
enum RequestBuilder {
  /// What the library calls itself.
  static let userAgent = "Quire/\(Version.text)"

  /// The request, checked; an error names the part of the call that can't be sent.
  static func build(
    _ call: Call, base: WebURL, configuration: Server.Configuration
  ) throws(RequestError) -> HTTPRequest {
    if let defect = call.settingsDefect { throw defect }
    let url = try url(for: call, base: base, configuration: configuration)
    let isAtHome = url.origin == base.origin && !call.isForeign
    var request = HTTPRequest(
      call.method, url, headers: headers(for: call, configuration, isAtHome: isAtHome),
      body: call.body, timeouts: call.timeouts ?? configuration.timeouts,
      limits: call.limits ?? configuration.limits, priority: call.priority)
    request.priorityHandle = call.priorityHandle
    request.receiver = call.receiver
    request.progress = call.progress
    try request.validate()
    return request
  }

  private static func headers(
    for call: Call, _ configuration: Server.Configuration, isAtHome: Bool
  ) -> HTTPHeaders {
    var headers =
      isAtHome
      ? configuration.headers
      : describing(configuration.headers)
    headers.merge(call.isForeign ? describing(call.headers) : call.headers)
    if headers["Accept"] == nil {
      headers.add("Accept", (call.content ?? configuration.content).acceptValue)
    }
    if headers["User-Agent"] == nil { headers.add("User-Agent", userAgent) }
    if let type = call.body?.contentType, headers["Content-Type"] == nil {
      headers.add("Content-Type", type)
    }
    return headers
  }

  /// The few fields that say nothing a stranger may not know.
  private static func describing(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(headers.fields.filter { FieldNames.mayLeave($0.name, withBody: false) })
  }
}
