import Quire
import SwiftUI
import UIKit

@testable import QuireUIUnderTest

/// The samples of “Binding a view” for UIKit and SwiftUI, compiled against the stand-ins.
struct Book: Decodable, Identifiable, Sendable {
  let id: Int
  let title: String
}

final class BooksScreen: ListTableViewController<Book> {
  override func show(_ book: Book, in cell: UITableViewCell, at position: RowPosition) {
    var content = cell.defaultContentConfiguration()
    content.text = book.title
    cell.contentConfiguration = content
  }
}

@MainActor func booksScreen(_ server: Server) -> BooksScreen {
  let books = ListModel<Book>(server, "/books", items: "data", paging: .automatic)
  let screen = BooksScreen(ListController(books))
  return screen
}

final class ShadowBinding: ListTableBinding {
  private(set) var showsShadow = false

  override func scrollViewDidScroll(_ scrollView: UIScrollView) {
    super.scrollViewDidScroll(scrollView)
    showsShadow = scrollView.contentOffset.y > 0
  }
}

final class ShadowScreen: ListTableViewController<Book> {
  override func makeBinding(in tableView: UITableView) -> ListTableBinding {
    ShadowBinding(list, in: tableView)
  }
}

final class CoverCell: UICollectionViewCell {
  func show(_ book: Book) {}
}

final class CoversController: UICollectionViewController {
  private let list: ListController<Book>
  private var binding: ListCollectionBinding?

  init(_ list: ListController<Book>) {
    self.list = list
    super.init(collectionViewLayout: UICollectionViewFlowLayout())
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    guard let collectionView else { return }
    let binding = ListCollectionBinding(list, in: collectionView)
    binding.register(CoverCell.self, for: .standard)
    binding.drawing.footerText = { $0 == .noMore(.complete) ? "That was all" : nil }
    self.binding = binding
  }

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    list.appeared()
  }
}

struct BooksView: View {
  let screen: ListController<Book>

  var body: some View {
    QuireList(screen) { book in Text(book.title) }
      .footer { footer in Text(footer == .loading ? "One moment…" : "") }
  }
}

struct ShelvesView: View {
  let screen: ListController<Book>

  var body: some View {
    QuireList(screen) { book in Text(book.title) }
      .sectionView("banner") { section in Text(section.header?.uppercased() ?? "") }
  }
}

final class InboxScreen: UITableViewController {
  var load: () async throws -> [String] = { [] }
  private(set) var messages: [String] = []
  private var state = LoadState.idle
  private var hasLoaded = false
  private var header = RefreshHeader()
  private lazy var placeholder = PlaceholderView { [weak self] _ in self?.reload() }

  func reload() {
    state = .loading
    show()
    Task {
      do {
        messages = try await load()
        (state, hasLoaded) = (.idle, true)
      } catch {
        state = .failed(LoadError(error))
      }
      header.end()
      show()
    }
  }

  private func show() {
    let reason = Placeholder.Reason(rows: messages.count, load: state, hasLoaded: hasLoaded)
    placeholder.show(Placeholder.Plan().placeholder(for: reason))
    tableView.backgroundView = placeholder
    tableView.reloadData()
  }

  override func scrollViewDidScroll(_ scrollView: UIScrollView) {
    header.pull(to: -scrollView.contentOffset.y)
  }

  override func scrollViewDidEndDragging(
    _ scrollView: UIScrollView, willDecelerate decelerate: Bool
  ) {
    if header.release() { reload() }
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    messages.count
  }
}
