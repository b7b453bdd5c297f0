internal import ItemMapping
package import ServerAPI

/// Follows the addresses that a server sends.
package struct PageAddresses: Hashable, Sendable {
  /// Parameters of the call that are sent again where an address doesn't have them.
  var keeping: [String] = []
  /// The base of relative addresses, where that is not the address of the response.
  package var base: WebURL?

  /// Returns the link for an address in a response. A relative address is resolved against the address
  /// of the response, after redirects.
  func link(to text: String, in page: PageResponse) -> PageFacts.Link {
    let url: WebURL
    do throws(RequestError) {
      url = try (base ?? page.response.url).resolving(text.trimmed)
    } catch {
      return .stopped(.badLink(Self.withoutSecrets(text), error))
    }
    let origins = page.usedOrigins
    guard origins.allow(url.origin, from: page.response.url.origin) else {
      // Without its query, which may hold a secret.
      return .stopped(.otherOrigin("\(url.origin)\(url.path)", expected: origins.home))
    }
    if url == page.response.url || page.key.place == .url(url) {
      return page.count == 0 ? .end : .stopped(.noProgress(page.key))
    }
    var key = PageKey(.url(url))
    // A page from another origin must not send the user's credentials to an address of its choice.
    key.isForeign =
      page.key.isForeign || url.origin != origins.asked
      || page.response.url.origin != origins.asked
    return .page(key)
  }

  /// Points the call at an address. The address has all the parameters that the server needs, so those
  /// of the call, such as `page=1`, are dropped. Parameters in a body stay, unless the address has them: a
  /// server doesn't repeat a body in its links.
  func follow(_ key: PageKey, in call: inout Call) throws(PagingError) {
    guard case .url(let url) = key.place else {
      if key.place == .start { return }
      throw .foreignKey(key, expected: "an address")
    }
    let names = Set(url.queryParams.items.map(\.name))
    call.address = url.description
    call.params = Params(
      call.params.items.filter { item in
        !names.contains(item.name)
          && (call.paramsIn != .query || keeping.contains(item.name) && !key.isForeign)
      })
  }

  /// Returns as much of an invalid address as an error may show: neither a password nor a query.
  private static func withoutSecrets(_ text: String) -> String {
    var parts = URLReference(text.trimmed)
    parts.query = nil
    parts.fragment = nil
    parts.authority = parts.authority.map {
      String($0[($0.utf8.lastIndex(of: 0x40) ?? $0.startIndex)...])
    }
    // A password may contain any character, also a slash.
    let shown = parts.description
    let end = shown.utf8.lastIndex(of: 0x40).map { "…" + shown[$0...] } ?? shown
    return String(end.prefix(200))
  }
}

/// The origins that a list may use.
///
/// A list's home is the origin of its first page. After that, neither links nor redirects lead
/// anywhere else, unless the program allows it. Credentials go to the origin that the program named,
/// which a redirect of the first page may have left.
struct ListOrigins: Hashable, Sendable {
  /// The origin that the program named: only this origin gets its fields, credentials and body.
  var asked: WebURL.Origin
  /// The origin of the first page, after redirects.
  var home: WebURL.Origin
  /// Whether links and redirects may leave it.
  var allowsOthers = false

  /// Whether the list may continue from the origin of a page at another one. It never steps down from
  func allow(_ next: WebURL.Origin, from page: WebURL.Origin) -> Bool {
    if next.scheme == "http", home.scheme == "https" || page.scheme == "https" { return false }
    return allowsOthers || home.reaches(next)
  }
}

extension PageResponse {
  /// The origins that the loader set, or those that apply if this is the first page.
  var usedOrigins: ListOrigins {
    origins ?? ListOrigins(asked: askedOrigin, home: response.url.origin)
  }

  private var askedOrigin: WebURL.Origin {
    let asked = URLReference(call.address)
    if asked.scheme != nil, let url = try? WebURL(call.address) { return url.origin }
    return response.attempts.first?.origin ?? response.url.origin
  }
}
