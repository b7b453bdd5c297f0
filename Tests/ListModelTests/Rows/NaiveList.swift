@testable import ListModel
@testable import ListReading

/// A naive list for comparison: arrays that are searched linearly. It has no edits.
struct NaiveList {
  struct Page {
    var rows: [TestRow]
    /// The rows of its response.
    var sent: [TestRow]
    var isLoaded = true
  }

  let policy: DuplicatePolicy
  var pages: [Page] = []

  mutating func problem(
    after step: StoreStep, _ outcome: StoreRun.Outcome, _ rows: [ListRow<TestRow>], _ ids: [RowID]
  ) -> String? {
    let counts = apply(step)
    let expected = pages.flatMap { page in page.rows.map { page.isLoaded ? $0 : nil } }
    if rows.map(\.item) != expected { return "expected \(expected.map { $0?.id ?? -1 })" }
    if ids != pages.flatMap({ page in page.rows.map { RowID($0.id) } }) { return "wrong ids" }
    guard let merge = outcome.merge else { return nil }
    let found = (merge.duplicatesInPage, merge.duplicatesAcross)
    return counts == found ? nil : "expected \(counts) duplicates, found \(found)"
  }

  /// Returns the numbers of duplicates, in the page and across pages.
  private mutating func apply(_ step: StoreStep) -> (Int, Int) {
    switch step {
    case .append(let rows): return put(rows, at: pages.count)
    case .prepend(let rows): return put(rows, at: 0)
    case .replace(let rows):
      pages = []
      return put(rows, at: 0)
    case .replaceAgain(let number):
      guard let page = number % 2 == 0 ? pages.first : pages.last, page.isLoaded else {
        return (0, 0)
      }
      pages = []
      return put(page.sent, at: 0)
    case .restore(let number, let rows):
      guard !pages.isEmpty else { return (0, 0) }
      let at = number % pages.count
      pages.remove(at: at)
      return put(rows, at: at)
    case .evict(let number):
      if !pages.isEmpty, !pages[number % pages.count].rows.isEmpty {
        pages[number % pages.count].isLoaded = false
      }
      return (0, 0)
    case .removeAll:
      pages = []
      return (0, 0)
    case .insert, .remove, .update, .move, .confirm, .confirmAs, .rollback: return (0, 0)
    }
  }

  private mutating func put(_ rows: [TestRow], at place: Int) -> (Int, Int) {
    var page: [TestRow] = []
    var (inPage, across) = (0, 0)
    for row in rows {
      if let earlier = page.firstIndex(where: { $0.id == row.id }) {
        inPage += 1
        switch policy {
        case .keepFirst: break
        case .replaceInPlace: page[earlier] = row
        case .moveToNew:
          page.remove(at: earlier)
          page.append(row)
        }
      } else if let other = pages.firstIndex(where: { $0.rows.contains { $0.id == row.id } }),
        let at = pages[other].rows.firstIndex(where: { $0.id == row.id })
      {
        across += 1
        switch policy {
        case .keepFirst: break
        case .replaceInPlace: if pages[other].isLoaded { pages[other].rows[at] = row }
        case .moveToNew:
          pages[other].rows.remove(at: at)
          page.append(row)
        }
      } else {
        page.append(row)
      }
    }
    pages.insert(Page(rows: page, sent: rows), at: place)
    return (inPage, across)
  }
}
