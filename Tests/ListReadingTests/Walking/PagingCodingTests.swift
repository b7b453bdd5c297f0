import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

/// The coding of a recognized paging in a checkpoint.
@Suite struct PagingCodingTests {
  private static let places: [ResponseLocation] = [
    "a.b", .header("X-Total"), .headerJSON("X-Page", at: "next"), .relation("next", in: "links"),
  ]
  private static let targets: [RequestLocation] = [
    "page", .members, .header("X-Page"), .path("page"), .body("a.b"), .form("page"),
  ]
  private static let ends: [EndRule] =
    places.flatMap { place -> [EndRule] in
      [
        .total(place), .pageCount(place), .lastPage(place), .hasNext(place), .isLast(place),
        .nextPage(place),
      ]
    } + [
      .shortPage, .emptyPage, .page(7), .status(404), .repeatedCursor, .cursor(0), .cursor("end"),
      .cursor(.null),
    ]

  /// Every way of paging, with every part of it.
  private static var pagings: [Paging] {
    let base = try? WebURL("https://a.example/b")
    var pagings: [Paging] = [
      .single, .link, .pageHeaders(size: 20), .range(unit: "rows", size: 5),
      .link(total: .header("X-Total"), keeping: ["key"]),
      .relay(connection: "data.rows", size: 5),
      .relay(
        connection: "data.rows", size: 5, after: "a", first: "b", before: "c", last: "d",
        startsAtEnd: true),
    ]
    for place in places {
      pagings += [
        .nextURL(at: place), .nextURL(at: place, total: place, base: base),
        .cursor(at: place, previous: place, size: 3, firstSize: 6, acceptsEmptyText: true),
      ]
    }
    for target in targets {
      pagings += [
        .pageNumber(size: 3, first: 0, parameter: target, sizeParameter: target, firstSize: 6),
        .offset(limit: 3, first: 1, parameter: target, limitParameter: nil),
        .cursor(at: "next", into: target, previousInto: "before", sizeParameter: target),
        .keyset(["id", "a.b"], into: [target, "b"], isUnique: true, limit: 9),
      ]
    }
    for end in ends {
      pagings += [
        .pageNumber(endsBy: end), .offset(limit: 3, endsBy: end, .shortPage),
        .cursor(at: "next", endsBy: end), .keyset(["id"], into: ["after"], endsBy: end),
      ]
    }
    return pagings
  }

  @Test func `every way of paging is the same after coding`() throws {
    for paging in Self.pagings {
      for grounds in [RecognizedPaging.Grounds.stated, .inferred, .tried] {
        let recognized = RecognizedPaging(
          paging: paging, itemsPath: "data.list", grounds: grounds, reason: "a reason")
        let bytes = try #require(recognized.bytes, "\(paging)")
        #expect(try RecognizedPaging(bytes) == recognized, "\(paging)")
        guard grounds == .stated else { continue }
        // Whatever is missing or changed, reading never traps.
        for count in 0..<bytes.count {
          #expect(throws: (any Error).self) { try RecognizedPaging(Array(bytes.prefix(count))) }
          var changed = bytes
          changed[count] ^= 0x55
          _ = try? RecognizedPaging(changed)
        }
      }
    }
  }

  @Test func `a paging with code of the program has no coding`() {
    for paging in [Paging.automatic, .custom(ask: { _, _ in }, facts: { _ in .init(next: .end) })] {
      let recognized = RecognizedPaging(
        paging: paging, itemsPath: .root, grounds: .stated, reason: "")
      #expect(recognized.bytes == nil)
    }
  }
}
