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
  func link(to text: String, in answer: PageAnswer) -> PageLink {
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
