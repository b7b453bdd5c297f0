/// How the pages of a list are asked for, and how its end is known.
public struct Paging: Hashable, Sendable {
  let strategy: any PageStrategy

  /// Every way of paging. A decision that depends on the way switches over it, so the compiler names each
  /// place that has to know a new one.
  package enum Way: Hashable, Sendable {
    case pageNumber(PageNumberPaging)
    case offset(OffsetPaging)
    case range(RangePaging)
    case cursor(CursorPaging)
    case keyset(KeysetPaging)
    case relay(RelayPaging)
    case link(LinkPaging)
    case nextURL(NextURLPaging)
    case custom(CustomPaging)
    case single
    case automatic
  }

  /// The way this is.
  package var way: Way { strategy.way }

  /// Equal when they are written the same and do the same.
  public static func == (a: Paging, b: Paging) -> Bool { a.way == b.way }

  /// Hashes the way of asking.
  public func hash(into hasher: inout Hasher) { hasher.combine(way) }

  /// The same way of paging with these rules for its end, where it takes rules.
  package func ending(_ ends: [PageEnd]) -> Paging {
    switch way {
    case .pageNumber(var way):
      (way.pages.ends, way.headers) = (ends, nil)
      return Paging(strategy: way)
    case .offset(var way):
      way.pages.ends = ends
      return Paging(strategy: way)
    case .cursor(var way):
      way.pages.ends = ends
      return Paging(strategy: way)
    case .keyset(var way):
      way.pages.ends = ends
      return Paging(strategy: way)
    case .range, .relay, .link, .nextURL, .custom, .single, .automatic: return self
    }
  }
}

extension Paging: CustomStringConvertible {
  /// The declaration as it would stand in a program.
  public var description: String { strategy.declaration }
}
