import Foundation
import Quire
import QuireTesting
import Testing

/// The view of “Binding a view” for `UITableView`.
@MainActor @Suite struct TableViewSamples {
  struct Book: Decodable, Identifiable, Equatable, Sendable {
    let id: Int
    var year = 2000
  }

  final class TableView: ListView {
    let table: UITableView
    init(_ table: UITableView) { self.table = table }

    func replaceAll(commit: @escaping () -> Void) {
      commit()
      table.reloadData()
    }

    func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
      let sections = change.sections
      let moved = Set(sections.moved.map(\.to))
      if change.rows.contains(where: { moved.contains($0.after) }) {
        return replaceAll(commit: commit)
      }
      func path(_ row: RowPosition) -> IndexPath { IndexPath(row: row.row, section: row.section) }
      table.performBatchUpdates { [table] in
        commit()
        table.deleteSections(IndexSet(sections.removed.joined()), with: .automatic)
        table.insertSections(IndexSet(sections.inserted.joined()), with: .automatic)
        for move in sections.moved { table.moveSection(move.from, toSection: move.to) }
        table.deleteRows(at: change.removedRows.map(path), with: .automatic)
        table.insertRows(at: change.insertedRows.map(path), with: .automatic)
        for move in change.movedRows {
          table.moveRow(at: path(move.from), to: path(move.to))
        }
      }
      table.reconfigureRows(at: change.updatedRows.map(path))
      table.reloadSections(IndexSet(sections.updated.joined()), with: .automatic)
    }
  }

  /// A list of the books that a server has now, four to a page.
  private func screen(
    _ shelf: ManualShelf
  ) -> (books: ListModel<Book>, screen: ListController<Book>, table: UITableView, view: TableView) {
    let transport = MockTransport { shelf.page($0.query["page"].flatMap { Int($0) } ?? 1) }
    let books = ListModel<Book>(
      Server("https://api.example.com", transport: transport), "/books", items: "rows",
      paging: .pageNumber(size: 4, endsBy: .pageCount("pages")))
    let screen = ListController(books) {
      $0.rows.section = { SectionLabel($0.year, header: "\($0.year)") }
      $0.refresh.pullsUp = false
    }
    let table = UITableView { [weak screen] in
      screen?.sections.sections.map(\.rows.count) ?? []
    }
    let view = TableView(table)
    screen.attach(view)
    return (books, screen, table, view)
  }

  @Test func `a table that counts its rows accepts every change`() async throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(50) {
      let shelf = ManualShelf()
      let (books, screen, table, view) = screen(shelf)
      for _ in 0..<15 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: shelf.change(&random)
        case 1: _ = await books.refresh().outcome
        case 2: _ = await books.loadPage(Int.random(in: 0...3, using: &random)).outcome
        case 3: _ = await books.loadPreviousPage().outcome
        case 4:
          let id = books.rows.items.map(\.id).randomElement(using: &random) ?? 0
          _ = try? books.edit(
            Bool.random(using: &random) ? .remove(RowID(id)) : .move(RowID(id), to: .start))
        default: _ = await books.loadNextPage().outcome
        }
      }
      _ = await books.refresh().outcome
      #expect(table.problems.isEmpty, "\(random)")
      #expect(table.counts == screen.sections.sections.map(\.rows.count), "\(random)")
      #expect(table.batches > 0 && view.table === table)
    }
  }
}
