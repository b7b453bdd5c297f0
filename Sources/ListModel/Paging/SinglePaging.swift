internal import ServerAPI

/// A list that comes in one answer.
struct SinglePaging: PageStrategy {
  var way: Paging.Way { .single }
  var first: PageKey { PageKey(.start) }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    guard key.place == .start else { throw .foreignKey(key, expected: "the only page") }
  }

  func facts(in answer: PageAnswer) -> PageFacts { PageFacts(next: .end, total: answer.count) }

  var declaration: String { Declaration("single").text }
}

extension Paging {
  /// A list that comes in one answer, whatever the answer says of more.
  ///
  /// ```swift
  /// ListModel<Country>(server, "/countries", paging: .single)
  /// ```
  ///
  /// It ends with its first page.
  public static var single: Paging { Paging(strategy: SinglePaging()) }
}
