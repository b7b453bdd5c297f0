internal import ItemMapping
internal import ServerAPI

/// Links that count pages or rows, so that the addresses of the pages after the next one can be worked out.
///
/// The addresses of this page and the next one differ in one number, and the link to the last page or a total says
/// how far it goes. A page at such an address is only used if the page before it links to it.
struct CountedLinks: Hashable, Sendable {
  /// The address of a page.
  var this: WebURL
  /// The address of the page after it.
  var next: WebURL
  /// The link to the last page, if there is one.
  var last: String?
  /// The number of rows of the page.
  var rows: Int
  /// The total number of rows, if it is known.
  var total: Int?
  /// Whether the page is the first one of the list.
  var isFirst: Bool

  /// The parameter that counts, by how much it grows from page to page, and its number for the last page.
  struct Counter {
    let name: String
    let step: Int
    let last: Int

    /// Returns the address of the page after one; `nil` if that is the last page.
    func address(after url: WebURL) -> WebURL? {
      guard let number = CountedLinks.number(name, in: url), number.plus(step) <= last else {
        return nil
      }
      return url.replacing([name: number.plus(step)])
    }
  }

  /// What counts the pages; `nil` if nothing does. It is worked out here, as few lists need it.
  var counter: Counter? {
    // Where no page or row is counted, a page is only sure to follow another one if it was requested after it.
    guard rows > 0, PageKey.Place.url(next).isCounted,
      let (name, number, following) = Self.number(of: next, unlike: this)
    else { return nil }
    // The address of the first page may not count, or not yet.
    let start = number ?? (following == 2 ? 1 : 0)
    let step = following.minus(start)
    guard step == 1 || step == rows, start >= 0, number != nil || isFirst else { return nil }
    if let last {
      guard let address = try? this.resolving(last),
        let (other, _, number) = Self.number(of: address, unlike: next), other == name,
        number > following
      else { return nil }
      return Counter(name: name, step: step, last: number)
    }
    guard isFirst, let total, total > rows else { return nil }
    return Counter(
      name: name, step: step, last: start.plus((total.minus(1) / rows).times(step)))
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

extension CountedLinks {
  /// Creates the links of a page; `nil` if it has none that lead on at the program's own origin, or nothing that tells
  /// how many pages there are.
  init?<Item>(_ page: LoadedPage<Item>) {
    let facts = page.page.facts
    let isFirst = page.rows.key.place == .start
    guard isFirst || facts.lastLink != nil, case .page(let key) = facts.next, !key.isForeign,
      case .url(let next) = key.place, let this = page.page.url
    else { return nil }
    self.init(
      this: this, next: next, last: facts.lastLink, rows: page.sentRows, total: facts.total,
      isFirst: isFirst)
  }
}
