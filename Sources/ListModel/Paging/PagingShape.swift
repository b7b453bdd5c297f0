package import ItemMapping
internal import ServerAPI

/// A paging taken apart, for whoever writes it down in other words than Swift's.
package enum PagingShape: Hashable, Sendable {
  package struct Counted: Hashable, Sendable {
    package var size: Int?
    package var sizeParameter: CallPlace?
    package var ends: [PageEnd]
  }

  package struct Links: Hashable, Sendable {
    package var total: AnswerPlace?
    package var base: String?
  }

  case page(parameter: CallPlace, first: Int, Counted)
  case offset(parameter: CallPlace, first: Int, Counted)
  case cursor(AnswerPlace, into: CallPlace, Counted)
  case keyset([JSONPath], into: [CallPlace], Counted)
  case link(Links)
  case next(AnswerPlace, Links)
  case relay(connection: JSONPath, size: Int)
  case range(unit: String, size: Int)
  case none
  /// What has no other words.
  case other
}

extension Paging {
  package var shape: PagingShape {
    switch strategy {
    case let paging as PageNumberPaging:
      .page(parameter: paging.parameter, first: paging.start, .init(paging.pages))
    case let paging as PageHeadersPaging: Paging(strategy: paging.numbers).shape
    case let paging as OffsetPaging:
      .offset(parameter: paging.parameter, first: paging.start, .init(paging.pages))
    case let paging as CursorPaging: .cursor(paging.next, into: paging.into, .init(paging.pages))
    case let paging as KeysetPaging:
      .keyset(paging.fields, into: paging.places, .init(paging.pages))
    case let paging as LinkPaging: .link(.init(paging.addresses, paging.total))
    case let paging as NextURLPaging: .next(paging.next, .init(paging.addresses, paging.total))
    case let paging as RelayPaging: .relay(connection: paging.connection, size: paging.size)
    case let paging as RangePaging: .range(unit: paging.unit, size: paging.size)
    case is SinglePaging: .none
    default: .other
    }
  }
}

extension Paging {
  /// The same way of paging with these rules for its end, where it takes rules.
  package func ending(_ ends: [PageEnd]) -> Paging {
    switch strategy {
    case var paging as PageNumberPaging:
      paging.pages.ends = ends
      return Paging(strategy: paging)
    case var paging as OffsetPaging:
      paging.pages.ends = ends
      return Paging(strategy: paging)
    case var paging as CursorPaging:
      paging.pages.ends = ends
      return Paging(strategy: paging)
    case var paging as KeysetPaging:
      paging.pages.ends = ends
      return Paging(strategy: paging)
    default: return self
    }
  }
}

extension PagingShape.Counted {
  fileprivate init(_ pages: CountedPages) {
    self.init(size: pages.size, sizeParameter: pages.sizeParameter, ends: pages.ends)
  }
}

extension PagingShape.Links {
  fileprivate init(_ addresses: PageAddresses, _ total: AnswerPlace?) {
    self.init(total: total, base: addresses.base?.description)
  }
}
