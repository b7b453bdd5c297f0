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

  override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    list.disappeared()
  }

  override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    binding?.didLayOut()
  }
}

final class PickerScreen: ListTableViewController<Book> {
  var onPick: (Book) -> Void = { _ in }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    super.tableView(tableView, didSelectRowAt: indexPath)
    let position = RowPosition(section: indexPath.section, row: indexPath.row)
    if let book = list.item(at: position) { onPick(book) }
  }
}

final class StarCell: UITableViewCell {
  var onStar: () -> Void = {}
}

final class StarScreen: ListTableViewController<Book> {
  override func show(_ book: Book, in cell: UITableViewCell, at position: RowPosition) {
    (cell as? StarCell)?.onStar = { [weak list] in
      list?.act(.custom("star"), on: RowID(book.id))
    }
  }
}

final class CoverRow: UITableViewCell {
  nonisolated static func height(of book: Book, in width: Double) -> Double? {
    book.title.count > 40 ? 88 : width / 6
  }
}

@MainActor func coverKinds() -> CellKinds<Book> {
  var kinds = CellKinds<Book>()
  kinds.add("cover", for: Book.self) { $0.height = CoverRow.height }
  return kinds
}

final class HeaderView: UIView {
  func show(_ state: RefreshHeader.State) {}
}

final class FailureView: UIView {
  init(_ error: LoadError) { super.init(frame: CGRect(x: 0, y: 0, width: 320, height: 60)) }
  required init?(coder: NSCoder) { nil }
}

@MainActor func draw(_ binding: ListTableBinding, _ header: HeaderView) {
  binding.register(UINib(nibName: "BookCell", bundle: nil), for: "book")
  binding.drawing.header = { header.show($0) }
  binding.drawing.headerHeight = 80
  binding.drawing.refreshFailure = { error in FailureView(error) }
}

extension Placeholder.Plan.Texts {
  static var german: Placeholder.Plan.Texts {
    var texts = Placeholder.Plan.Texts()
    texts.loading = "Wird geladen …"
    texts.noMore = "Das war alles"
    texts.refreshFailed = "Die Liste ist nicht aktuell. Tippen, um es noch einmal zu versuchen."
    texts.delete = "Löschen"
    return texts
  }
}

@MainActor func germanScreen(_ books: ListModel<Book>) -> ListController<Book> {
  let screen = ListController(books) { $0.placeholders.texts = .german }
  return screen
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
