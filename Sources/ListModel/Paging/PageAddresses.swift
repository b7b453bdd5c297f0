internal import ItemMapping
package import ServerAPI

/// How addresses that the server gives are followed.
package struct PageAddresses: Hashable, Sendable {
  /// Parameters of the call that are sent again where an address doesn't have them.
  var keeping: [String] = []
  /// What relative addresses count from, where that is not the address of the answer.
  package var base: WebURL?

  /// What an address in an answer leads to. One that is relative counts from where the answer came
  /// from, after redirects.
  func link(to text: String, in answer: PageResponse) -> PageFacts.Link {
    let url: WebURL
    do throws(RequestError) {
      url = try (base ?? answer.response.url).resolving(text.trimmed)
    } catch {
      return .stopped(.badLink(Self.withoutSecrets(text), error))
    }
    let origins = answer.usedOrigins
    guard origins.allow(url.origin, from: answer.response.url.origin) else {
      // Without its query, which may hold a secret.
      return .stopped(.otherOrigin("\(url.origin)\(url.path)", expected: origins.home))
    }
    if url == answer.response.url || answer.key.place == .url(url) {
      return .stopped(.noProgress(answer.key))
    }
    var key = PageKey(.url(url))
    // A page that came from elsewhere must not send the user's credentials to an address of its choice.
    key.isForeign =
      answer.key.isForeign || url.origin != origins.asked
      || answer.response.url.origin != origins.asked
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
  }

  /// As much of a text that is no address as an error may repeat: neither a password nor a query.
  private static func withoutSecrets(_ text: String) -> String {
    var parts = URLReference(text.trimmed)
    parts.query = nil
    parts.fragment = nil
    parts.authority = parts.authority.map {
      String($0[($0.lastIndex(of: "@") ?? $0.startIndex)...])
    }
    // A password may have any character in it, a slash too.
    let shown = parts.description
    let end = shown.lastIndex(of: "@").map { "…" + shown[$0...] } ?? shown
    return String(end.prefix(200))
  }
}

/// The origins that a list may use.
///
/// A list is at home where its first page came from. From then on neither links nor redirects lead
/// anywhere else, unless the program allows it. Credentials go to the origin that the program asked for,
/// which a redirect of the first page may have left.
struct ListOrigins: Hashable, Sendable {
  /// Where the program asks for the list: only this origin gets its fields, credentials and body.
  var asked: WebURL.Origin
  /// Where the first page came from, after redirects.
  var home: WebURL.Origin
  /// Whether links and redirects may leave it.
  var allowsOthers = false

  /// Whether the list may go on from the origin of a page at another one. It never steps down from
  /// `https` to `http`.
  func allow(_ next: WebURL.Origin, from page: WebURL.Origin) -> Bool {
    if next.scheme == "http", home.scheme == "https" || page.scheme == "https" { return false }
    return allowsOthers || home.reaches(next)
  }
}

extension PageResponse {
  /// What is known where nobody else knows more: as if this were the first page.
  var usedOrigins: ListOrigins {
    origins ?? ListOrigins(asked: askedOrigin, home: response.url.origin)
  }

  private var askedOrigin: WebURL.Origin {
    let asked = URLReference(call.address)
    if asked.scheme != nil, let url = try? WebURL(call.address) { return url.origin }
    if let first = response.attempts.first, let url = try? WebURL(first.address) {
      return url.origin
    }
    return response.url.origin
  }
}
