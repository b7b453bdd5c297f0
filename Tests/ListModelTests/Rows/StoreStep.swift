import ItemMapping
import QuireTesting
import TestSupport

@testable import ListModel
@testable import ListReading

/// A step of a random history. Pages, rows and edits are chosen by a number, so that a history stays valid
/// when steps are left out.
enum StoreStep {
  case append([TestRow])
  case prepend([TestRow])
  case replace([TestRow])
  /// Replaces all pages by the same response as that of the first or last one.
  case replaceAgain(Int)
  case restore(Int, [TestRow])
  case evict(Int)
  case removeAll
  case insert(Int, ListEdit<TestRow>.Place, near: Int)
  case remove(Int)
  case update(Int, String)
  case move(Int, ListEdit<TestRow>.Place, near: Int)
  case confirm(Int)
  /// Confirms an edit with a row of the server: the same one, a new one, or one of the list or of a later page.
  case confirmAs(Int, Int)
  case rollback(Int)

  var isEdit: Bool {
    switch self {
    case .insert, .remove, .update, .move, .confirm, .confirmAs, .rollback: true
    case .append, .prepend, .replace, .replaceAgain, .restore, .evict, .removeAll: false
    }
  }

  /// A history with overlapping and repeated pages.
  static func history(
    of length: Int, edits: Bool, confirms: Bool = true, using random: inout SeededGenerator
  ) -> [StoreStep] {
    var version = 0
    var (first, last) = (0, 0)
    func rows(from start: Int, upTo most: Int = 30) -> [TestRow] {
      version += 1
      return (0..<Int.random(in: 0...most, using: &random)).map { offset in
        let strays = Int.random(in: 0..<8, using: &random) == 0
        let id = strays ? Int.random(in: first - 5...last + 5, using: &random) : start + offset
        return TestRow(id: id, text: "\(version).\(offset % 2)")
      }
    }
    func pick() -> Int { Int.random(in: 0..<1 << 30, using: &random) }
    func place() -> ListEdit<TestRow>.Place {
      [.start, .end, .after(0), .before(0)][Int.random(in: 0..<4, using: &random)]
    }
    return (0..<length).map { _ in
      switch Int.random(in: 0..<(edits ? 200 : 100), using: &random) {
      case 0..<38:
        let page = rows(from: last - 2)
        last += page.count
        return .append(page)
      case 38..<60:
        let page = rows(from: first - 20)
        first -= 20
        return .prepend(page)
      case 60, 61: return .replaceAgain(pick())
      case 62..<64:
        return .replace(rows(from: Int.random(in: first...last, using: &random), upTo: 60))
      case 64:
        return Int.random(in: 0..<8, using: &random) == 0 ? .removeAll : .replace(rows(from: 0))
      case 65..<80:
        return .restore(pick(), rows(from: Int.random(in: first...last, using: &random)))
      case 80..<100: return .evict(pick())
      case 100..<125: return .insert(pick(), place(), near: pick())
      case 125..<145: return .remove(pick())
      case 145..<160: return .update(pick(), "edit \(pick() % 1_000)")
      case 160..<175: return .move(pick(), place(), near: pick())
      case 175..<180: return confirms ? .confirm(pick()) : .remove(pick())
      case 180..<186: return confirms ? .confirmAs(pick(), pick()) : .remove(pick())
      default: return .rollback(pick())
      }
    }
  }
}

/// A store to which a history is applied.
struct StoreRun {
  var store: ListStore<TestRow>
  var pending: [EditID] = []
  /// Whether some inserted rows are also rows of the server, which sends them later.
  var insertsServerRows = true
  private var pages = 0

  init(_ policy: DuplicatePolicy, isSame: ((TestRow, TestRow) -> Bool)? = nil) {
    store = ListStore(duplicates: policy, isSame: isSame)
  }

  /// The result of a step.
  struct Outcome {
    var change = ListChange()
    var merge: Merge?
    var isRefused = false
    /// The rule that the step broke.
    var problem: String?
  }

  mutating func apply(_ step: StoreStep) -> Outcome {
    switch step {
    case .append(let rows): return outcome(store.append(page(rows)))
    case .prepend(let rows): return outcome(store.prepend(page(rows)))
    case .replace(let rows): return outcome(store.replace(with: page(rows)))
    case .replaceAgain(let number):
      guard let parsed = parsedPage(number) else { return Outcome(isRefused: true) }
      var page = page([])
      page.reuse(parsed)
      return replace(with: page)
    case .restore(let number, let rows):
      guard let id = pageID(number) else { return Outcome(isRefused: true) }
      return outcome(store.restore(id, with: page(rows)))
    case .evict(let number):
      guard let id = pageID(number) else { return Outcome(isRefused: true) }
      return outcome(store.evict(id))
    case .removeAll:
      pending = []
      return Outcome(change: store.removeAll())
    case .insert(let number, let place, let near):
      let isServers = insertsServerRows && number % 40 == 0
      let id = isServers ? number % 3_000 : 100_000 + number % 10_000
      let row = TestRow(id: id, text: "inserted")
      return edit(.insert(row, id: RowID(row.id), at: placed(place, near)))
    case .remove(let number): return edit(.remove(rowID(number)))
    case .update(let number, let text):
      let id = rowID(number)
      guard case .number(let value) = id else { return Outcome(isRefused: true) }
      return edit(.update(id, TestRow(id: value, text: text)))
    case .move(let number, let place, let near):
      return edit(.move(rowID(number), to: placed(place, near)))
    case .confirm(let number):
      if let id = takePending(number) { store.confirm(id) }
      return Outcome()
    case .confirmAs(let number, let server):
      return takePending(number).map { confirm($0, as: server) } ?? Outcome()
    case .rollback(let number):
      return Outcome(change: takePending(number).map { store.rollback($0) } ?? ListChange())
    }
  }

  /// Replaces all pages, and compares the rows with those that the same page gives if its rows are compared.
  private mutating func replace(with page: PageRows<TestRow>) -> Outcome {
    var (comparing, unparsed) = (store, page)
    unparsed.parsed = nil
    let expected = comparing.replace(with: unparsed)
    var outcome = outcome(store.replace(with: page))
    let (found, other) = (store.snapshot, comparing.snapshot)
    if found.allRows != other.allRows || found.allIDs != other.allIDs {
      outcome.problem = "a page that was not compared has other rows"
    } else if found.allIDs.contains(where: { store.position(of: $0) != comparing.position(of: $0) }) {
      outcome.problem = "a page that was not compared has other positions"
    } else if let merge = outcome.merge,
      (merge.duplicatesInPage, merge.duplicatesAcross)
        != (expected.duplicatesInPage, expected.duplicatesAcross)
    {
      outcome.problem = "a page that was not compared has other duplicates"
    }
    return outcome
  }

  private func outcome(_ merge: Merge?) -> Outcome {
    Outcome(change: merge?.change ?? ListChange(), merge: merge, isRefused: merge == nil)
  }

  private mutating func edit(_ edit: ListEdit<TestRow>) -> Outcome {
    guard let applied = try? store.apply(edit) else { return Outcome(isRefused: true) }
    pending.append(applied.id)
    return Outcome(change: applied.change)
  }

  private mutating func takePending(_ number: Int) -> EditID? {
    pending.isEmpty ? nil : pending.remove(at: number % pending.count)
  }

  private mutating func page(_ rows: [TestRow]) -> PageRows<TestRow> {
    pages += 1
    var page = PageRows(rows, number: pages)
    page.parsed = PageRows.Parsed(
      .init(mark: ContentDigest("\(pages)"), itemsPath: .root, count: rows.count), sent: rows,
      rows: page, report: MappingReport())
    return page
  }

  /// The parsed rows of the first or last page of the server; `nil` where they are not in memory.
  private func parsedPage(_ number: Int) -> PageRows<TestRow>.Parsed? {
    let pages = store.snapshot.storedPages.filter { $0.key != nil }
    return (number % 2 == 0 ? pages.first : pages.last)?.parsed
  }

  /// A page of the server, equal in every store after the same steps.
  private func pageID(_ number: Int) -> PageID? {
    let pages = store.snapshot.pages.filter { $0.key != nil }
    return pages.isEmpty ? nil : pages[number % pages.count].id
  }

  func rowID(_ number: Int) -> RowID {
    let position = number % max(store.snapshot.count, 1)
    guard let page = store.tree.place(at: position, by: .rows) else { return RowID(-1_000_000) }
    return page.page.ids?[position - page.before.rows] ?? RowID(-1_000_000)
  }

  private func placed(_ place: ListEdit<TestRow>.Place, _ near: Int) -> ListEdit<TestRow>.Place {
    switch place {
    case .start, .end: place
    case .after: .after(rowID(near))
    case .before: .before(rowID(near))
    }
  }
}

extension ListSnapshot<TestRow> {
  /// All rows, read page by page.
  var allRows: [ListRow<TestRow>] {
    storedPages.flatMap { page in
      page.items?.map(ListRow.item) ?? Array(repeating: .notLoaded(page.id), count: page.count)
    }
  }

  var allIDs: [RowID] { storedPages.flatMap { $0.ids ?? [] } }

  var storedPages: [StoredPage<TestRow>] { Array(IteratorSequence(PageIterator(tree))) }
}
