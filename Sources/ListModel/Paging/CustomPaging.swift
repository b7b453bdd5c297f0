internal import ServerAPI

/// Pages that are asked for by code of the program.
package struct CustomPaging: PageStrategy {
  /// The two closures, which are equal when they come from the same call of the factory.
  final class Closures: Hashable, Sendable {
    let ask: @Sendable (PageKey, inout Call) throws -> Void
    let facts: @Sendable (PageAnswer) -> PageFacts

    init(
      ask: @escaping @Sendable (PageKey, inout Call) throws -> Void,
      facts: @escaping @Sendable (PageAnswer) -> PageFacts
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

  func facts(in answer: PageAnswer) -> PageFacts { closures.facts(answer) }

  var declaration: String { ".custom(…)" }
}
