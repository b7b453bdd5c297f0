public import ItemMapping
public import ServerAPI

/// How one page of a list is asked for.
public struct PageKey: Hashable, Sendable {
  /// Where the page is.
  public enum Place: Hashable, Sendable {
    /// Where the address leads as it stands.
    case start
    /// The page with this number, as the server counts.
    case number(Int)
    /// Behind this many rows.
    case offset(Int)
    /// Behind the row or page this cursor stands for. It may be any JSON: a text, a number, an object.
    case after(JSONAny)
    /// Before the row or page this cursor stands for.
    case before(JSONAny)
    /// At an address the server gave.
    case url(WebURL)
    /// Wherever one of these ways leads, if it does: nobody said how to go on.
    case trial(PageKey.Trial)
  }

  /// Where the page is.
  public var place: Place
  /// How many rows it is asked to have, where that is not the usual number.
  public var size: Int?
  /// How many rows a full page has turned out to have on the way here, which may not be what is
  /// asked for. It is no part of what is asked, so keys are equal without it.
  var full: Int?
  /// Whether the address belongs to somebody else, who gets no credentials.
  var isForeign = false

  /// Makes a key.
  public init(_ place: Place, size: Int? = nil) {
    self.place = place
    self.size = size
  }

  /// Equal when the same is asked for.
  public static func == (a: PageKey, b: PageKey) -> Bool { a.place == b.place && a.size == b.size }

  /// Hashes what is asked for.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(size)
  }
}

extension PageKey.Place: CustomStringConvertible {
  /// The place in words, secrets in addresses masked.
  public var description: String {
    switch self {
    case .start: "the first page"
    case .number(let number): "page \(number)"
    case .offset(let offset): "offset \(offset)"
    case .after(let cursor): "the page after \(cursor.excerpt)"
    case .before(let cursor): "the page before \(cursor.excerpt)"
    case .url(let url): "\(Redaction().url(url))"
    case .trial: "a page that is yet to be found"
    }
  }
}

extension PageKey.Place {
  /// Whether rows that go or come move the rows of the page: where pages or rows are counted, also by the
  /// server in its links.
  package var isCounted: Bool {
    guard case .url(let url) = self else { return border == .assumed }
    return url.queryParams.items.contains { item in
      ParameterNames.pages.contains(item.name) || ParameterNames.offsets.contains(item.name)
    }
  }

  /// Whether a neighbor's own response led to this place.
  var border: PageBorder {
    switch self {
    case .start, .number, .offset, .trial: .assumed
    case .after, .before, .url: .chained
    }
  }
}
