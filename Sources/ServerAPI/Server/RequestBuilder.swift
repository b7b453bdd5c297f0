internal import Support

/// Builds the request of a call. Pure: the same server, base and call give the same request.
///
/// ## Address
///
/// | address of the call | address of the request |
/// | --- | --- |
/// | `""` | the base itself |
/// | `books`, `/books` | below the path of the base, with one slash between them |
/// | `../books` | up from the path of the base, as far as the root of its host |
/// | `?page=2` | the base with additional parameters |
/// | `https://…`, `//host/…` | the given one; path and query of the base are ignored |
///
/// ## Parameters
///
/// In this order: those in the query of the base, in the query of the address, of the server, and of the
/// call. A name that occurs in several of these is taken from one of them. The call takes precedence over
/// the address, the address over the server, and the server over the base. With ``Call/paramsIn``, those of the
/// call are in the body instead.
///
/// Everything else in the queries of base and address stays byte for byte, since it may be signed: `a=1&&b=2&` with
/// `c=3` becomes `a=1&&b=2&c=3`.
///
/// ## Other origins
///
/// Header fields and parameters of the server go only to the origin of the base. At another origin, only
/// those of its fields are sent that describe the request, such as `Accept`, and all fields of the call.
enum RequestBuilder {
  /// The default `User-Agent`.
  static let userAgent = "Quire/\(Version.text)"

  /// Returns the validated request; an error names the part of the call that can't be sent.
  static func build(
    _ call: Call, base: WebURL, configuration: Server.Configuration, known: KnownTargets? = nil
  ) throws(RequestError) -> HTTPRequest {
    if let defect = call.settingsDefect { throw defect }
    guard call.cacheKey != nil else {
      return try request(for: call, base: base, configuration: configuration, known: known)
    }
    // The order of the parameters must make no difference to the cache.
    var call = call
    call.params = call.params.sorted
    return try request(for: call, base: base, configuration: configuration, known: known)
  }

  private static func request(
    for call: Call, base: WebURL, configuration: Server.Configuration, known: KnownTargets?
  ) throws(RequestError) -> HTTPRequest {
    let url = try url(for: call, base: base, configuration: configuration, known: known)
    let body = try body(of: call, configuration)
    let isAtHome = url.origin == base.origin && !call.isForeign
    var request = HTTPRequest(
      call.method, url, headers: headers(for: call, body, configuration, isAtHome: isAtHome),
      body: body, timeouts: call.timeouts ?? configuration.timeouts,
      limits: call.limits ?? configuration.limits, priority: call.priority)
    request.priorityHandle = call.priorityHandle
    request.receiver = call.receiver
    request.progress = call.progress
    request.cacheKey = call.cacheKey
    request.onlyReads = call.onlyReads
    request.memory = configuration.memory
    request.cacheLifetime = call.cacheLifetime
    request.cacheVersion = call.cacheVersion
    request.writes = call.writes
    try request.validate()
    return request
  }

  /// Returns the body of a call: its own, or that of its parameters.
  private static func body(
    of call: Call, _ configuration: Server.Configuration
  ) throws(RequestError) -> RequestBody? {
    let kind: String
    switch call.paramsIn {
    case .query: return call.body
    case .form: kind = "a form"
    case .json: kind = "JSON"
    }
    if call.params.isEmpty, call.body != nil || !call.method.canHaveBody { return call.body }
    guard call.method.canHaveBody else {
      throw WebURL.defect(
        .body,
        "can't have the params as \(kind), since the method is \(call.method); set method to .post, or"
          + " paramsIn to .query")
    }
    guard call.body == nil else {
      throw WebURL.defect(
        .body,
        "is set twice: body, and params as \(kind); put all values into params, or set paramsIn to"
          + " .query")
    }
    if call.paramsIn == .form {
      return .form(call.params, arrayEncoding: configuration.arrayEncoding)
    }
    return .bytes(call.params.json, contentType: "application/json")
  }

  private static func headers(
    for call: Call, _ body: RequestBody?, _ configuration: Server.Configuration, isAtHome: Bool
  ) -> HTTPHeaders {
    var headers =
      isAtHome
      ? configuration.headers
      : describing(configuration.headers)
    // For those of the call and the three that may be added below.
    headers.reserve(call.headers.fields.count + 3)
    headers.merge(call.isForeign ? describing(call.headers) : call.headers)
    if headers["Accept"] == nil {
      headers.add("Accept", (call.content ?? configuration.content).acceptValue)
    }
    if headers["User-Agent"] == nil { headers.add("User-Agent", userAgent) }
    if let type = body?.contentType, headers["Content-Type"] == nil {
      headers.add("Content-Type", type)
    }
    return headers
  }

  /// Returns the fields that may be sent to any origin.
  private static func describing(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(headers.fields.filter { FieldNames.mayLeave($0.name, withBody: false) })
  }
}
