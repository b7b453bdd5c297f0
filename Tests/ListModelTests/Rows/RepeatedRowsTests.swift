import Support
import Synchronization
import Testing

@testable import ListModel
@testable import ListReading

/// Pages that repeat their own rows.
struct RepeatedRowsTests {
  /// An id that counts how often it is compared.
  private struct CountedID: Hashable, Sendable {
    static let comparisons = Atomic<Int>(0)

    let id: Int

    static func == (a: CountedID, b: CountedID) -> Bool {
      comparisons.add(1, ordering: .relaxed)
      return a.id == b.id
    }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  private func comparisons(rows: Int, _ policy: DuplicatePolicy) -> Int {
    let numbers = (0..<2 * rows).map { $0 % rows }
    var page = PageRows<TestRow>(numbers)
    page.ids = numbers.map { RowID(CountedID(id: $0)) }
    let before = CountedID.comparisons.load(ordering: .relaxed)
    var store = ListStore<TestRow>(duplicates: policy)
    let merge = store.append(page)
    #expect(merge.duplicatesInPage == rows)
    #expect(store.snapshot.count == rows)
    return CountedID.comparisons.load(ordering: .relaxed) - before
  }

  @Test(arguments: [DuplicatePolicy.keepFirst, .replaceInPlace, .moveToNew])
  func `rows that repeat within a page are found without comparing all others`(
    policy: DuplicatePolicy
  ) {
    let (few, many) = (comparisons(rows: 500, policy), comparisons(rows: 2_000, policy))
    #expect(many <= few * 8, "\(few) comparisons became \(many)")
  }

  @Test(arguments: [
    (DuplicatePolicy.keepFirst, ["0a", "1a", "2a"]), (.replaceInPlace, ["0c", "1b", "2a"]),
    (.moveToNew, ["2a", "1b", "0c"]),
  ])
  func `each policy decides which of three repetitions stays`(
    policy: DuplicatePolicy, rows: [String]
  ) {
    let items = [(0, "a"), (1, "a"), (0, "b"), (2, "a"), (1, "b"), (0, "c")]
      .map { TestRow(id: $0.0, text: $0.1) }
    let page = PageRows<TestRow>(items)
    var store = ListStore<TestRow>(duplicates: policy)
    let merge = store.append(page)
    #expect(merge.duplicatesInPage == 3)
    #expect(zip(store.ids, store.texts).map { "\($0)\($1)" } == rows)
  }
}
