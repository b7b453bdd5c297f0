internal import Support

/// Where the address of a call leads, without its query.
struct CallTarget: Sendable {
  let url: WebURL
  /// Whether the address names its host, so that the query of the base is ignored.
  let isAbsolute: Bool

  /// Resolves an address without query and fragment.
  init(_ place: String, _ base: WebURL) throws(RequestError) {
    let reference = URLReference(place)
    isAbsolute = reference.scheme != nil || reference.authority != nil
    url =
      isAbsolute
      ? try Self.absolute(reference, base) : base.withQuery(nil).appending(path: reference.path)
  }

  private static func absolute(
    _ reference: URLReference, _ base: WebURL
  ) throws(RequestError) -> WebURL {
    var reference = reference
    guard let scheme = reference.scheme else {
      reference.scheme = base.scheme
      return try WebURL(reference, .url)
    }
    if scheme.equalsIgnoringCase("http") || scheme.equalsIgnoringCase("https") {
      return try WebURL(reference, .url)
    }
    throw WebURL.defect(
      .url,
      "has the scheme “\(scheme.prefix(32))”, expected http or https; write a path that starts with"
        + " a word and a colon as “./word:…”")
  }
}

/// The targets of a server's recent calls. Pages of a list differ in their queries only, so their address is parsed once.
final class KnownTargets: Sendable {
  private static let maximumCount = 64
  private static let maximumLength = 512

  /// Guards the targets by their addresses without query.
  private let targets = Lock<[String: CallTarget]>([:])

  subscript(place: String) -> CallTarget? {
    get { Self.canKeep(place) ? targets.withLock { $0[place] } : nil }
    set {
      guard Self.canKeep(place) else { return }
      targets.withLock { targets in
        if targets.count >= Self.maximumCount { targets = [:] }
        targets[place] = newValue
      }
    }
  }

  /// Strings are equal if their characters are, but with other bytes an address is another one. In ASCII that is the same.
  private static func canKeep(_ place: String) -> Bool {
    place.utf8.count <= maximumLength && place.hasOnlyBytes { $0 < 0x80 }
  }
}

extension WebURL {
  /// Returns the address below this one, with exactly one slash between both paths and without dot segments.
  fileprivate func appending(path addition: String) -> WebURL {
    guard !addition.isEmpty else { return self }
    var joined = path
    while joined.utf8.last == 0x2F { joined.removeLast() }
    let rest = addition.utf8.drop { $0 == 0x2F }
    joined += "/"
    joined += Substring(rest)
    return WebURL(
      scheme: scheme, host: host, port: port,
      path: PercentEncoding.path.repair(URLReference.removingDotSegments(joined)), query: nil)
  }
}
