internal import ItemMapping
internal import ServerAPI

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
