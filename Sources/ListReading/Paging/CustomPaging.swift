public import ServerAPI

extension Paging {
  /// Pages that closures request and read.
  ///
  /// ```swift
  /// .custom(first: PageKey(.number(2026))) { key, call in
  ///   guard case .number(let year) = key.place else { return }
  ///   call.params["year"] = "\(year)"
  /// } facts: { page in
  ///   guard case .number(let year) = page.key.place, year > 2000 else { return PageFacts(next: .end) }
  ///   return PageFacts(next: .page(PageKey(.number(year - 1))))
  /// }
  /// ```
  ///
  /// The list ends where the facts have ``PageFacts/Link/end``. The closures should return the same result
  /// for the same input: a page may be requested again. Two pagings are equal when one is a copy of the other.
  ///
  /// - Parameters:
  ///   - first: The first page of a list.
  ///   - ask: Makes the call request a page. If it throws, the load fails with that error.
  ///   - facts: Returns what a response says about its place in the list.
  ///   - overlap: Returns the page that begins that many rows before another one, so that they overlap; `nil` where there
  ///     is none. Its facts lead on from its own end.
  public static func custom(
    first: PageKey = PageKey(.start),
    ask: @escaping @Sendable (PageKey, inout Call) throws -> Void,
    facts: @escaping @Sendable (PageResponse) -> PageFacts,
    overlap: (@Sendable (_ page: PageKey, _ rows: Int) -> PageKey?)? = nil
  ) -> Paging {
    Paging(
      strategy: CustomPaging(
        first: first, closures: .init(ask: ask, facts: facts, overlap: overlap)))
  }
}

/// Pages that are requested by code of the program.
package struct CustomPaging: PageStrategy {
  /// The closures. They are equal when they come from the same call of the factory.
  final class Closures: Hashable, Sendable {
    let ask: @Sendable (PageKey, inout Call) throws -> Void
    let facts: @Sendable (PageResponse) -> PageFacts
    let overlap: (@Sendable (PageKey, Int) -> PageKey?)?

    init(
      ask: @escaping @Sendable (PageKey, inout Call) throws -> Void,
      facts: @escaping @Sendable (PageResponse) -> PageFacts,
      overlap: (@Sendable (PageKey, Int) -> PageKey?)?
    ) {
      self.ask = ask
      self.facts = facts
      self.overlap = overlap
    }

    static func == (a: Closures, b: Closures) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  var first: PageKey
  var closures: Closures

  var way: Paging.Way { .custom(self) }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    do {
      try closures.ask(key, &call)
    } catch let error as PagingError {
      throw error
    } catch {
      throw .custom("\(error)")
    }
  }

  func facts(in page: PageResponse) -> PageFacts {
    var facts = closures.facts(page)
    // Programs read these numbers from responses. They are bounded as those that the library reads.
    func bounded(_ number: Int) -> Int? {
      number < 0 ? nil : ReportedTotal(rows: number).rows
    }
    facts.total = facts.total.flatMap(bounded)
    facts.pageCount = facts.pageCount.flatMap(bounded)
    return facts
  }

  var declaration: String { ".custom(…)" }
}
