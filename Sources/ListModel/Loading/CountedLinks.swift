internal import ItemMapping
internal import ServerAPI

/// Links that count pages or rows, so that the addresses of the pages after the next one can be worked out.
///
/// The addresses of this page and the next one differ in one number, and the link to the last page or a total says
/// how far it goes. A page at such an address is only used if the page before it links to it.
struct CountedLinks: Hashable, Sendable {
  private let name: String
  private let step: Int
  /// The number of the last page.
  private let last: Int

  /// - Parameters:
  ///   - page: A page.
  ///   - next: What leads to the next page.
  ///   - lastLink: The address of the last page, if there is a link to it.
  ///   - total: The number of all rows, if it is known.
  init?(
    _ page: PageResponse, next: PageFacts.Link, lastLink: String?, total: Int?
  ) {
    // Where no page or row is counted, a page is only sure to follow another one if it was requested after it.
    guard page.count > 0, case .page(let key) = next, !key.isForeign, key.place.isCounted,
      case .url(let url) = key.place,
      let (name, this, following) = Self.number(of: url, unlike: page.response.url)
    else { return nil }
    // The address of the first page may not count, or not yet.
    let start = this ?? (following == 2 ? 1 : 0)
    step = following.minus(start)
    guard step == 1 || step == page.count, start >= 0, this != nil || page.key.place == .start
    else { return nil }
    self.name = name
    if let lastLink {
      guard let address = try? page.response.url.resolving(lastLink),
        let (other, _, last) = Self.number(of: address, unlike: url), other == name,
        last > following
      else { return nil }
      self.last = last
    } else if page.key.place == .start, let total, total > page.count {
      let pages = total.minus(1) / page.count
      last = start.plus(pages.times(step))
    } else {
      return nil
    }
  }

  /// Returns the addresses after one, up to that of the last page.
  func addresses(after url: WebURL, most count: Int) -> [WebURL] {
    guard let number = Self.number(name, in: url) else { return [] }
    return (1...max(1, count)).map { number.plus(step.times($0)) }.prefix { $0 <= last }
      .compactMap { url.replacing([name: $0]) }
  }

  /// The only parameter in which an address differs from another one, and its number in both.
  private static func number(
    of url: WebURL, unlike other: WebURL
  ) -> (name: String, before: Int?, after: Int)? {
    guard url.origin == other.origin, url.path == other.path else { return nil }
    func texts(_ url: WebURL) -> [String: [String]] {
      Dictionary(
        url.queryParams.items.map { ($0.name, $0.value.texts) }, uniquingKeysWith: { $0 + $1 })
    }
    let (old, new) = (texts(other), texts(url))
    let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    guard changed.count == 1, let name = changed.first, let after = number(name, in: url) else {
      return nil
    }
    guard old[name] != nil else { return (name, nil, after) }
    return number(name, in: other).map { (name, $0, after) }
  }

  /// The number that a parameter has in an address, if it is there once.
  private static func number(_ name: String, in url: WebURL) -> Int? {
    let texts = url.queryParams.items.filter { $0.name == name }.flatMap { $0.value.texts }
    return texts.count == 1 ? texts.first.flatMap { Int($0) } : nil
  }
}
