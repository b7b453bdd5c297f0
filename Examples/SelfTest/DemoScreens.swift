#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  import Quire
  import SwiftUI
  import UIKit

  #if canImport(QuireUIUnderTest)
    import QuireUIUnderTest
  #else
    import QuireUI
  #endif

  /// A list in a table.
  final class DemoTable: ListTableViewController<DemoRow> {
    private var delegate: DemoDelegate?
    private var hasOwnHeader = false
    private var hasTableHeader = false
    private var isEditable = false

    static func make(
      _ server: DemoServer = DemoServer(), isDivided: Bool = false, hasPictures: Bool = false,
      hasOwnHeader: Bool = false, hasTableHeader: Bool = false, isEditing: Bool = false,
      startsAt: Int? = nil
    ) -> DemoTable {
      let options = DemoOptions(
        isDivided: isDivided, hasPictures: hasPictures, startsAt: startsAt)
      let table = DemoTable(options.controller(server))
      table.delegate = DemoDelegate(table.list)
      table.hasOwnHeader = hasOwnHeader
      table.hasTableHeader = hasTableHeader
      table.isEditable = isEditing
      return table
    }

    override func makeBinding(in tableView: UITableView) -> ListTableBinding {
      DemoBinding(list, in: tableView)
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      if isEditable {
        navigationItem.rightBarButtonItem = editButtonItem
      } else {
        let refresh = UIAction(title: "Refresh") { [weak self] _ in self?.list.refresh() }
        navigationItem.rightBarButtonItem = UIBarButtonItem(primaryAction: refresh)
      }
      if hasTableHeader {
        let header = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 120))
        header.backgroundColor = .secondarySystemBackground
        tableView.tableHeaderView = header
      }
      if hasOwnHeader {
        let label = UILabel(frame: CGRect(x: 16, y: -60, width: 288, height: 60))
        tableView.addSubview(label)
        binding?.drawing.header = { label.text = "\($0)" }
      }
    }

    /// Marks the row, to see that an override is called.
    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      super.tableView(tableView, didSelectRowAt: indexPath)
      title = "✓ \(indexPath.row)"
    }
  }

  /// A binding with a method that the screen doesn't have.
  final class DemoBinding: ListTableBinding {
    #if canImport(ObjectiveC)
      @objc(tableView:shouldHighlightRowAtIndexPath:)
      func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool {
        !indexPath.row.isMultiple(of: 2)
      }
    #endif
  }

  /// A list in a collection view.
  final class DemoGrid: ListCollectionViewController<DemoRow> {
    private var delegate: DemoDelegate?

    static func make(isList: Bool = false, startsAt: Int? = nil) -> DemoGrid {
      let options = DemoOptions(isDivided: isList, startsAt: startsAt)
      let grid = DemoGrid(
        options.controller(DemoServer()), layout: isList ? nil : UICollectionViewFlowLayout())
      grid.delegate = DemoDelegate(grid.list)
      return grid
    }
  }

  /// A list in SwiftUI.
  struct DemoView: View {
    let list: ListController<DemoRow>

    static func make(_ server: DemoServer = DemoServer()) -> UIViewController {
      UIHostingController(rootView: DemoView(list: DemoOptions().controller(server)))
    }

    var body: some View {
      VStack {
        Button("Last row") {
          if let last = list.model?.rows.items.last { list.scroll(to: RowID(last.id)) }
        }
        Button("Pulling on or off") { list.settings.refresh.pullsDown.toggle() }
        QuireList(list) { row in Text(row.text) }
      }
    }
  }
#endif
