internal import ItemMapping
internal import ServerAPI

/// How addresses that the server gives are followed.
struct PageAddresses: Hashable, Sendable {
  /// Whether they may lead away from the origin the list is asked at.
  var allowsOtherOrigins = false
  /// Parameters of the call that are sent again where an address doesn't have them.
  var keeping: [String] = []
  /// What relative addresses count from, where that is not the address of the answer.
  var base: WebURL?

  /// What an address in an answer leads to. One that is relative counts from where the answer came
  /// from, after redirects.
  func link(to text: String, in answer: PageAnswer) -> PageLink {
    let url: WebURL
    do throws(RequestError) {
      url = try (base ?? answer.response.url).resolving(text.trimmed)
    } catch {
      return .stopped(.badLink(Self.withoutSecrets(text), error))
    }
    let home = answer.home
    let isForeign = answer.key.isForeign || !url.origin.isHome(home)
    if isForeign, !allowsOtherOrigins {
      // Without its query, which may hold a secret.
      return .stopped(.otherOrigin("\(url.origin)\(url.path)", expected: home))
    }
    if url == answer.response.url || answer.key.place == .url(url) {
      return .stopped(.noProgress(answer.key))
    }
    var key = PageKey(.url(url))
    key.isForeign = isForeign
    return .page(key)
  }

  /// Makes the call go to an address. The address has all the parameters the server needs, so those
  /// of the call, which may well say `page=1`, stay behind.
  func follow(_ key: PageKey, in call: inout Call) throws(PagingError) {
    guard case .url(let url) = key.place else {
      if key.place == .start { return }
      throw .foreignKey(key, expected: "an address")
    }
    let names = Set(url.queryParams.items.map(\.name))
    call.address = url.description
    call.params = Params(
      call.params.items.filter { item in
        keeping.contains(item.name) && !names.contains(item.name) && !key.isForeign
      })
    if key.isForeign {
      guard call.body == nil else {
        throw .wrongCall(
          "the next page is at another origin and the call has a body",
          expected: "a call without a body, which may hold secrets")
      }
      call.headers = HTTPHeaders(call.headers.fields.filter { Self.mayTravel($0.name) })
    }
  }

  /// As much of a text that is no address as an error may repeat: neither a password nor a query.
  private static func withoutSecrets(_ text: String) -> String {
    var parts = URLReference(text.trimmed)
    parts.query = nil
    parts.fragment = nil
    parts.authority = parts.authority.map {
      String($0[($0.lastIndex(of: "@") ?? $0.startIndex)...])
    }
    return String(parts.description.prefix(200))
  }

  /// The few fields that say nothing a stranger may not know.
  private static func mayTravel(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "user-agent" || name == "content-type" || name == "accept"
      || name.hasPrefix("accept-")
  }
}

extension PageAnswer {
  /// The origin the list is asked at: of the address that was asked, not of the one a redirect led
  /// to, since that one gets no credentials either.
  var home: Origin {
    let asked = URLReference(call.address)
    if asked.scheme != nil, let url = try? WebURL(call.address) { return url.origin }
    if let first = response.attempts.first, let url = try? WebURL(first.address) {
      return url.origin
    }
    return response.url.origin
  }
}

extension Origin {
  /// Whether this is the origin of a list or the same host over TLS.
  fileprivate func isHome(_ home: Origin) -> Bool {
    self == home
      || (host == home.host && (scheme, port) == ("https", 443)
        && (home.scheme, home.port) == ("http", 80))
  }
}
