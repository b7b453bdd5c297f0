internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A stored answer that fits a request, with what its fields say now.
struct StoredCandidate {
  var index: Int
  var stored: StoredResponse
  var fields: ResponseFields
  var freshness: FreshnessLifetime

  /// What a caller gets without the server being asked; `nil` where what is stored is not what is asked for.
  /// `isVouched` says that the server vouched for it while the caller was waiting.
  func served(to request: HTTPRequest, _ asked: RequestFields, isVouched: Bool = false)
    -> HTTPResponse?
  {
    var shown = stored
    shown.headers = shownHeaders(withAll: isVouched)
    guard var response = shown.response(to: request, asked, fields) else { return nil }
    response.source = .cache(
      asOf: Date(timeIntervalSince1970: stored.receivedAt), isFresh: isVouched || freshness.isFresh)
    return response
  }

  /// The fields with the age of the answer (RFC 9111, section 5.1), without those that are not to be
  /// given out before the server was asked.
  private func shownHeaders(withAll: Bool) -> HTTPHeaders {
    var shown: [HTTPHeaders.Field] = []
    shown.reserveCapacity(stored.headers.fields.count + 1)
    let hidden = withAll ? [] : fields.control.noCacheFields
    for field in stored.headers.fields {
      if fields.age != nil, field.name.equalsIgnoringCase("Age") { continue }
      if !hidden.isEmpty, hidden.contains(field.name.asciiLowercased) { continue }
      shown.append(field)
    }
    let age = min(CacheControl.limit, max(0, Int(wholeSeconds: freshness.age)))
    shown.append(HTTPHeaders.Field(name: "Age", value: String(age)))
    return HTTPHeaders(shown)
  }
}

extension StoredResponse {
  /// The answer as a request asks for it: whole, without its body, a part of it, or only that the caller has
  /// it already. `nil` where too little of it is stored.
  func response(
    to request: HTTPRequest, _ asked: RequestFields, _ fields: ResponseFields
  ) -> HTTPResponse? {
    var response = HTTPResponse(status: status, headers: headers, url: url)
    if asked.mayBeUnchanged, asked.isUnchanged(self, fields) {
      response.status = 304
      response.headers = headers.ofUnchanged
      return response
    }
    if request.method == .head { return status == 206 ? nil : response }
    if let text = asked.range, status == 200 || status == 206, !body.isEmpty,
      asked.rangeFits(self, fields)
    {
      return part(text)
    }
    guard status != 206 else { return nil }
    response.body = body
    return response
  }

  /// The part that `Range` asks for, or that there is none.
  private func part(_ text: String) -> HTTPResponse? {
    guard let range = ByteRange(text), let held = contentRange else { return nil }
    switch range.place(in: held.total) {
    case .unknown: return nil
    case .outside:
      var headers = headers.ofUnchanged
      headers["Content-Range"] = "bytes */\(held.total.map(String.init) ?? "*")"
      return held.total == nil ? nil : HTTPResponse(status: 416, headers: headers, url: url)
    case .bytes(let wanted):
      guard held.bytes.lowerBound <= wanted.lowerBound, wanted.upperBound <= held.bytes.upperBound
      else { return nil }
      var response = HTTPResponse(status: 206, headers: headers, url: url)
      let start = wanted.lowerBound - held.bytes.lowerBound
      response.body = body.slice(start..<start + wanted.count)
      response.headers["Content-Range"] = ContentRange(bytes: wanted, total: held.total).text
      response.headers["Content-Length"] = String(wanted.count)
      return response
    }
  }
}

extension HTTPHeaders {
  /// The fields that `304` has (RFC 9110, section 15.4.5), and those that tell its age.
  fileprivate var ofUnchanged: HTTPHeaders {
    let names = [
      "ETag", "Date", "Cache-Control", "Expires", "Vary", "Content-Location", "Last-Modified",
      "Age",
    ]
    return HTTPHeaders(
      fields.filter { field in names.contains { field.name.equalsIgnoringCase($0) } })
  }
}
