internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A stored response selected for a request, with its freshness.
struct StoredCandidate {
  var index: Int
  var stored: StoredResponse
  var freshness: FreshnessLifetime
  var fields: ResponseFields { _read { yield stored.fields } }

  /// Returns the response to serve without validation; `nil` if the stored one does not satisfy the request.
  /// `isValidated` says that the server validated it while the caller was waiting.
  func served(to request: HTTPRequest, _ requestFields: RequestFields, isValidated: Bool = false)
    -> HTTPResponse?
  {
    let headers = servedHeaders(includingAll: isValidated)
    guard var response = stored.response(to: request, requestFields, headers) else { return nil }
    response.source = .cache(
      asOf: Date(timeIntervalSince1970: stored.receivedAt),
      isFresh: isValidated || freshness.isFresh)
    return response
  }

  /// Returns the fields with the current `Age` (RFC 9111, section 5.1), without those that require validation.
  private func servedHeaders(includingAll: Bool) -> HTTPHeaders {
    var visible: [HTTPHeaders.Field] = []
    visible.reserveCapacity(stored.headers.fields.count + 1)
    let hidden = includingAll ? [] : fields.control.noCacheFields
    for field in stored.headers.fields {
      if fields.age != nil, field.name.equalsIgnoringCase("Age") { continue }
      if !hidden.isEmpty, hidden.contains(field.name.asciiLowercased) { continue }
      visible.append(field)
    }
    let age = min(CacheControl.limit, max(0, Int(wholeSeconds: freshness.age)))
    visible.append(HTTPHeaders.Field(name: "Age", value: String(age)))
    return HTTPHeaders(visible)
  }
}

extension StoredResponse {
  /// Returns the response that a request asks for, with these fields: complete, without a body, a part, or `304`.
  /// Returns `nil` if too little is stored.
  func response(
    to request: HTTPRequest, _ requestFields: RequestFields, _ headers: HTTPHeaders
  ) -> HTTPResponse? {
    var response = HTTPResponse(status: status, headers: headers, url: url)
    if requestFields.allowsNotModified, requestFields.isNotModified(self) {
      response.status = 304
      response.headers = headers.forNotModified
      return response
    }
    if request.method == .head { return status == 206 ? nil : response }
    if let text = requestFields.range, status == 200 || status == 206, !body.isEmpty,
      requestFields.matchesIfRange(self)
    {
      return part(text, headers)
    }
    guard status != 206 else { return nil }
    response.body = body
    return response
  }

  /// Returns the part that `Range` selects, or `416` if there is none.
  private func part(_ text: String, _ headers: HTTPHeaders) -> HTTPResponse? {
    guard let range = ByteRange(text), let available = contentRange else { return nil }
    switch range.resolved(in: available.total) {
    case .unknown: return nil
    case .unsatisfiable:
      var headers = headers.forNotModified
      headers["Content-Range"] = "bytes */\(available.total.map(String.init) ?? "*")"
      return available.total == nil ? nil : HTTPResponse(status: 416, headers: headers, url: url)
    case .bytes(let wanted):
      guard available.bytes.lowerBound <= wanted.lowerBound,
        wanted.upperBound <= available.bytes.upperBound
      else { return nil }
      var response = HTTPResponse(status: 206, headers: headers, url: url)
      let start = wanted.lowerBound - available.bytes.lowerBound
      response.body = body.slice(start..<start + wanted.count)
      response.headers["Content-Range"] = ContentRange(bytes: wanted, total: available.total).text
      response.headers["Content-Length"] = String(wanted.count)
      return response
    }
  }
}

extension HTTPHeaders {
  /// The fields of a `304` response (RFC 9110, section 15.4.5), and its `Age`.
  fileprivate var forNotModified: HTTPHeaders {
    let names = [
      "ETag", "Date", "Cache-Control", "Expires", "Vary", "Content-Location", "Last-Modified",
      "Age",
    ]
    return HTTPHeaders(
      fields.filter { field in names.contains { field.name.equalsIgnoringCase($0) } })
  }
}
