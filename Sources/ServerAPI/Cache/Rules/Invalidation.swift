extension HTTPMethod {
  /// Whether the method may change what is stored. One that nobody knows may.
  var mayChange: Bool {
    switch rawValue {
    case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": false
    default: true
    }
  }
}

extension CacheRules {
  /// The addresses whose answers an answer makes wrong (RFC 9111, section 4.4): the one that was asked and
  /// those that it names, on the same server only.
  func invalidated(by answer: HTTPResponse, to request: HTTPRequest) -> [WebURL] {
    guard request.method.mayChange, (200..<400).contains(answer.status) else { return [] }
    var urls = [request.url]
    for name in ["Location", "Content-Location"] {
      guard let text = answer.headers[name], let url = try? answer.url.resolving(text),
        url.origin == request.url.origin, !urls.contains(url)
      else { continue }
      urls.append(url)
    }
    return urls
  }
}
