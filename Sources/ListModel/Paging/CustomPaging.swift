public import ServerAPI

extension Paging {
  /// Pages that are asked for by two closures.
  ///
  /// ```swift
  /// .custom(first: PageKey(.number(2026))) { key, call in
  ///   guard case .number(let year) = key.place else { return }
  ///   call.params["year"] = "\(year)"
  /// } facts: { answer in
  ///   guard case .number(let year) = answer.key.place, year > 2000 else { return PageFacts(next: .end) }
  ///   return PageFacts(next: .page(PageKey(.number(year - 1))))
  /// }
  /// ```
  ///
  /// The list ends where the facts have ``PageFacts.Link/end``. Both closures should give the same for the
  /// same: a page may be asked for again. Two pagings are equal when one is a copy of the other.
  ///
  /// - Parameters:
  ///   - first: The page a list begins with.
  ///   - ask: Makes the call ask for a page. What it throws ends the load that asked.
  ///   - facts: Reads what an answer says of its place.
  public static func custom(
    first: PageKey = PageKey(.start),
    ask: @escaping @Sendable (PageKey, inout Call) throws -> Void,
    facts: @escaping @Sendable (PageResponse) -> PageFacts
  ) -> Paging {
    Paging(strategy: CustomPaging(first: first, closures: .init(ask: ask, facts: facts)))
  }
}

/// Pages that are asked for by code of the program.
package struct CustomPaging: PageStrategy {
  /// The two closures, which are equal when they come from the same call of the factory.
  final class Closures: Hashable, Sendable {
    let ask: @Sendable (PageKey, inout Call) throws -> Void
    let facts: @Sendable (PageResponse) -> PageFacts

    init(
      ask: @escaping @Sendable (PageKey, inout Call) throws -> Void,
      facts: @escaping @Sendable (PageResponse) -> PageFacts
    ) {
      self.ask = ask
      self.facts = facts
    }

    static func == (a: Closures, b: Closures) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  var first: PageKey
  var closures: Closures

  var way: Paging.Way { .custom(self) }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    do {
      try closures.ask(key, &call)
    } catch let error as PagingError {
      throw error
    } catch {
      throw .custom("\(error)")
    }
  }

  func facts(in answer: PageResponse) -> PageFacts { closures.facts(answer) }

  var declaration: String { ".custom(…)" }
}
