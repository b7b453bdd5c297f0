import TestSupport
import Testing

/// The oracle of the matrix: what is a lie, and what is only an unusual way to say the truth.
struct SaidVerdictTests {
  /// Returns the verdict on a reader that read pages of four rows up to a position, and what follows.
  private func verdict(
    _ server: SaidServer, upTo reach: Int
  ) -> SaidVerdict {
    let run = SaidRun(server)
    for start in stride(from: 0, through: reach, by: 4) {
      _ = run.respond(SaidRequest(offset: start, limit: 4))
    }
    return SaidVerdict(run.responses, rows: min(reach, server.cap))
  }

  private func server(
    _ rows: Int, cap: Int? = nil, _ stop: SaidServer.Stop = .empty, _ sayings: SaidServer.Saying...
  ) -> SaidServer {
    SaidServer(
      .offsetsOfCappedSize, rows: rows, cap: cap ?? rows, size: 4, stop: stop, sayings: sayings)
  }

  @Test func `a true total, page count or flag says that all rows came`() {
    for fact in [
      SaidFact.total(name: "total", .all), .pageCount(.list), .flag(.isLast, .list),
      .flag(.hasMore, .fullPage),
    ] {
      let verdict = verdict(server(8, .empty, .init(fact)), upTo: 8)
      #expect(verdict.more.isEmpty && !verdict.all.isEmpty, "\(fact)")
    }
  }

  @Test func `what a page in the middle says of the next one is not said of the end`() {
    for place in [SaidServer.Place.firstPage, .everyPage] {
      let verdict = verdict(server(8, .empty, .init(.flag(.hasMore, .list), on: place)), upTo: 8)
      #expect(verdict.more.isEmpty, "\(place)")
    }
  }

  @Test func `more is said by flags, totals and page counts above the rows`() {
    for fact in [
      SaidFact.total(name: "total", .all), .pageCount(.list), .flag(.noMore, .list),
      .bound(.relation, .high), .contentRange(.all),
    ] {
      for place in [SaidServer.Place.everyPage, .lastPage] {
        let verdict = verdict(server(12, cap: 8, .empty, .init(fact, on: place)), upTo: 8)
        #expect(!verdict.more.isEmpty, "\(fact) on \(place)")
      }
    }
  }

  @Test func `a link on a page without rows that leads to itself is not more`() {
    for place in [SaidServer.Place.everyPage, .pagesWithRows] {
      let verdict = verdict(server(12, cap: 8, .empty, .init(.next(.list), on: place)), upTo: 8)
      #expect(verdict.more.isEmpty, "\(place)")
    }
  }

  @Test func `bounds, totals of something else and of a page say nothing of all rows`() {
    for fact in [
      SaidFact.bound(.plus, .cap), .bound(.estimate, .cap), .otherTotal, .totalInRows,
      .total(name: "total", .page),
    ] {
      let verdict = verdict(
        server(12, cap: 8, .status(404, ifEndsAfter: false), .init(fact)), upTo: 8)
      #expect(verdict.more.isEmpty && verdict.all.isEmpty && verdict.end == .refused, "\(fact)")
    }
  }

  @Test func `an end is told apart by the last responses`() {
    #expect(verdict(server(8), upTo: 8).end == .empty)
    #expect(verdict(server(7), upTo: 7).end == .short)
    #expect(verdict(server(12, cap: 8, .repeated), upTo: 8).end == .repeated)
    #expect(verdict(server(12, cap: 8, .status(410, ifEndsAfter: false)), upTo: 8).end == .refused)
    #expect(verdict(server(8), upTo: 4).end == .full)
    #expect(verdict(server(11, cap: 0, .filtered), upTo: 8).end == .thin)
  }
}
