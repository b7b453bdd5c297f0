// The samples of “Binding a view” for toolkits that Linux does not have: compiled where UIKit exists, elsewhere
// only compared with the article.
#if canImport(UIKit)
  import Quire
  import SwiftUI
  import UIKit

  struct Book: Decodable, Identifiable, Sendable {
    let id: Int
    let title: String
  }

  final class BooksController: UITableViewController, ListView {
    let screen: ListController<Book>

    init(_ books: ListModel<Book>) {
      screen = ListController(books)
      super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "book")
      let refresh = UIAction { [screen] _ in screen.refresh() }
      refreshControl = UIRefreshControl(frame: .zero, primaryAction: refresh)
      screen.attach(self)
      screen.appeared()
    }

    func replaceAll(commit: @escaping () -> Void) {
      commit()
      tableView.reloadData()
    }

    func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
      guard change.sections.isEmpty else { return replaceAll(commit: commit) }
      tableView.performBatchUpdates { [self] in
        commit()
        tableView.deleteRows(at: change.removedRows.map(IndexPath.init), with: .automatic)
        tableView.insertRows(at: change.insertedRows.map(IndexPath.init), with: .automatic)
        for move in change.movedRows {
          tableView.moveRow(at: IndexPath(move.from), to: IndexPath(move.to))
        }
      }
      tableView.reconfigureRows(at: change.updatedRows.map(IndexPath.init))
    }

    func endRefreshing(_ outcome: RefreshOutcome) { refreshControl?.endRefreshing() }

    override func tableView(_: UITableView, numberOfRowsInSection section: Int) -> Int {
      screen.sections.rowCount(inSection: section)
    }

    override func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "book", for: path)
      cell.textLabel?.text = screen.item(at: RowPosition(path))?.title
      return cell
    }

    override func tableView(
      _: UITableView, willDisplay _: UITableViewCell, forRowAt path: IndexPath
    ) {
      screen.rowWillAppear(at: RowPosition(path))
    }
  }

  extension IndexPath {
    init(_ position: RowPosition) { self.init(row: position.row, section: position.section) }
  }

  extension RowPosition {
    init(_ path: IndexPath) { self.init(section: path.section, row: path.row) }
  }

  final class BooksGrid: UICollectionViewController, ListView {
    func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
      guard change.sections.isEmpty else { return replaceAll(commit: commit) }
      collectionView.performBatchUpdates { [self] in
        commit()
        collectionView.deleteItems(at: change.removedRows.map(IndexPath.init))
        collectionView.insertItems(at: change.insertedRows.map(IndexPath.init))
        for move in change.movedRows {
          collectionView.moveItem(at: IndexPath(move.from), to: IndexPath(move.to))
        }
      }
      collectionView.reconfigureItems(at: change.updatedRows.map(IndexPath.init))
    }

    func replaceAll(commit: @escaping () -> Void) {
      commit()
      collectionView.reloadData()
    }
  }

  struct BooksView: View {
    let screen: ListController<Book>

    var body: some View {
      List {
        ForEach(screen.sections.sections) { section in
          Section(section.header ?? "") {
            ForEach(section.items) { book in
              Text(book.title).onAppear {
                if let row = screen.position(of: RowID(book.id)) { screen.rowWillAppear(at: row) }
              }
            }
          }
        }
      }
      .overlay {
        if case .parts(let parts)? = screen.placeholder?.body { Text(parts.message ?? "") }
      }
      .refreshable { _ = await screen.model?.refresh().outcome }
      .onAppear { screen.appeared() }
    }
  }
#endif
