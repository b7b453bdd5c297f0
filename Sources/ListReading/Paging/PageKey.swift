public import ItemMapping
public import ServerAPI

/// The place and size of one page of a list, as it is requested.
public struct PageKey: Hashable, Sendable {
  /// The place of a page in its list.
  public enum Place: Hashable, Sendable {
    /// The page that the address of the call leads to, unchanged.
    case start
    /// The page with this number, as the server counts.
    case number(Int)
    /// After this many rows.
    case offset(Int)
    /// After the row or page this cursor stands for. It may be any JSON: a text, a number, an object.
    case after(JSONAny)
    /// Before the row or page this cursor stands for.
    case before(JSONAny)
    /// At an address that the server sent.
    case url(WebURL)
    /// The page that one of these candidates leads to, if any: the server doesn't say how it pages.
    case trial(PageKey.Trial)
  }

  /// The place of the page.
  public var place: Place
  /// The number of rows to request, where it differs from the usual number.
  public var size: Int?
  /// The number of rows that a full page has been seen to have so far, which may differ from the
  /// requested number. It is not part of the request, so equality ignores it.
  var full: FullSize?
  /// Where the rows before the page can be read again, the nearest place first. Not part of the request either.
  var earlier: [Earlier] = []
  /// The number of rows before the page that the request begins with. Not part of the request.
  var overlap = 0
  /// Why the page is requested although the page before it seems to be the last one; `nil` if it doesn't. Not part of
  /// the request.
  var doubt: EndDoubt?
  /// Whether the address is at an origin other than the program's own, which gets no credentials.
  var isForeign = false

  /// Creates a key.
  public init(_ place: Place, size: Int? = nil) {
    self.place = place
    self.size = size
  }

  /// Keys are equal when they request the same page.
  public static func == (a: PageKey, b: PageKey) -> Bool { a.place == b.place && a.size == b.size }

  /// Hashes what is requested.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(size)
  }
}

extension PageKey.Place: CustomStringConvertible {
  /// The place in words, with secrets in addresses masked.
  public var description: String {
    switch self {
    case .start: "the first page"
    case .number(let number): "page \(number)"
    case .offset(let offset): "offset \(offset)"
    case .after(let cursor): "the page after \(cursor.excerpt)"
    case .before(let cursor): "the page before \(cursor.excerpt)"
    case .url(let url): "\(Redaction().url(url))"
    case .trial: "a page to be found by trial"
    }
  }
}

extension PageKey.Place {
  /// Whether inserted or removed rows move the rows of the page. That is so where pages or rows are
  /// counted, also by the server in its links.
  package var isCounted: Bool {
    guard case .url(let url) = self else { return !isChained }
    return url.queryParams.items.contains { Self.counts($0.name) }
      || url.matrixParams.contains { Self.counts($0.name) && Int($0.value) != nil }
      || url.hasNumberedFile
  }

  /// Whether a parameter with this name counts pages or rows.
  private static func counts(_ name: String) -> Bool {
    ParameterNames.pages.contains(name) || ParameterNames.offsets.contains(name)
  }

  /// The offset, if the place is one.
  var offset: Int? { if case .offset(let offset) = self { offset } else { nil } }

  /// Whether a neighbor's own response led to this place. Any other one is computed: rows that were inserted or removed
  /// meanwhile may come twice or be missing.
  package var isChained: Bool {
    switch self {
    case .start, .number, .offset, .trial: false
    case .after, .before, .url: true
    }
  }
}

/// Why a page is requested although the page before it seems to be the last one.
///
/// The page settles the doubt: with new rows the list goes on, otherwise it has ended.
enum EndDoubt: Hashable, Sendable {
  /// Only a number says that it is the last one, and another number, or a page as full as it can be, that there is
  /// more.
  case unconfirmed
  /// A fact says that there is more, in these words.
  case contradicted(String)

  /// How the list ended if no new rows follow and nothing more is said.
  var end: PageFacts.Link {
    switch self {
    case .unconfirmed: .end
    case .contradicted(let reason): .stopped(.missingRows(reason))
    }
  }
}

extension PageKey {
  /// The number of rows of a full page, as far as it is known.
  var fullSize: Int? { full?.rows }

  /// Whether it begins among the rows before the page, so that the server can't mean the end of the list by refusing
  /// it.
  var isOverlap: Bool { overlap > 0 }

  /// The statuses with which servers say that there is no such page.
  static let refusals: Set<Int> = [400, 404, 410, 416, 422]
}

extension PageKey {
  /// The same page after rows before it were inserted or removed; `nil` where its place is not an offset.
  package func moved(by rows: Int) -> PageKey? {
    guard case .offset(let offset) = place else { return nil }
    var key = self
    key.place = .offset(max(0, offset.plus(rows)))
    return key
  }

  /// The page with the same rows after as many before it were inserted as a number of pages has, or removed; `nil` where
  /// its place is not the number of a page of the usual size.
  package func moved(byPages pages: Int) -> PageKey? {
    guard case .number(let number) = place, size == nil, pages != 0 else { return nil }
    var key = self
    key.place = .number(max(1, number.plus(pages)))
    return key
  }
}
