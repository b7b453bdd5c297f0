internal import ServerAPI

/// The origins that a list may use.
///
/// A list is at home where its first page came from. From then on neither links nor redirects lead
/// anywhere else, unless the program allows it. Credentials go to the origin that the program asked for,
/// which a redirect of the first page may have left.
struct ListOrigins: Hashable, Sendable {
  /// Where the program asks for the list: only this origin gets its fields, credentials and body.
  var asked: Origin
  /// Where the first page came from, after redirects.
  var home: Origin
  /// Whether links and redirects may leave it.
  var allowsOthers = false

  /// Whether the list may go on from the origin of a page at another one. It never steps down from
  /// `https` to `http`.
  func allow(_ next: Origin, from page: Origin) -> Bool {
    if next.scheme == "http", home.scheme == "https" || page.scheme == "https" { return false }
    return allowsOthers || home.reaches(next)
  }
}

extension PageAnswer {
  /// What is known where nobody else knows more: as if this were the first page.
  var usedOrigins: ListOrigins {
    origins ?? ListOrigins(asked: askedOrigin, home: response.url.origin)
  }

  private var askedOrigin: Origin {
    let asked = URLReference(call.address)
    if asked.scheme != nil, let url = try? WebURL(call.address) { return url.origin }
    if let first = response.attempts.first, let url = try? WebURL(first.address) {
      return url.origin
    }
    return response.url.origin
  }
}
