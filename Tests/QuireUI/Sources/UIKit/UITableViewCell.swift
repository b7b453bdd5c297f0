public import Foundation

/// A cell with an identifier, by which it is used again.
@MainActor open class UITableViewCell: UIView {
  /// The parts of a cell that come from nothing else.
  public enum CellStyle: Int, Sendable { case `default` = 0, subtitle = 3 }
  /// What can be confirmed for a row in editing mode.
  public enum EditingStyle: Int, Sendable { case none = 0, delete = 1, insert = 2 }

  public let reuseIdentifier: String?
  open var isSelected = false
  open var contentConfiguration: (any UIContentConfiguration)?
  open var accessoryView: UIView?

  public required init(style: CellStyle, reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }

  public required init?(coder: NSCoder) { nil }

  open func prepareForReuse() { isSelected = false }
  open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}

extension UITableViewCell: PooledCell {}

/// The content of a cell as a value.
public protocol UIContentConfiguration {}

/// Two texts and a picture.
public struct UIListContentConfiguration: UIContentConfiguration, Hashable {
  public var text: String?
  public var secondaryText: String?
  public var image: UIImage?
  /// Where the picture is.
  public struct ImageProperties: Hashable {
    public var maximumSize = CGSize.zero
    public var reservedLayoutSize = CGSize.zero
  }
  public var imageProperties = ImageProperties()
  public static func cell() -> UIListContentConfiguration { UIListContentConfiguration() }
  public static func header() -> UIListContentConfiguration { UIListContentConfiguration() }
  public static func footer() -> UIListContentConfiguration { UIListContentConfiguration() }
}

/// The actions that a swipe shows.
@MainActor public final class UISwipeActionsConfiguration {
  public let actions: [UIContextualAction]
  public var performsFirstActionWithFullSwipe = true
  public init(actions: [UIContextualAction]) { self.actions = actions }
}

/// An action on a row.
@MainActor public final class UIContextualAction {
  /// Whether an action can be undone.
  public enum Style: Int, Sendable { case normal = 0, destructive = 1 }
  /// Carries out an action, and calls back whether it did.
  public typealias Handler = (
    _ action: UIContextualAction, _ sourceView: UIView,
    _ completionHandler: @escaping (_ actionPerformed: Bool) -> Void
  ) -> Void

  public let style: Style
  public let handler: Handler
  public var title: String?
  public var image: UIImage?

  public init(style: Style, title: String?, handler: @escaping Handler) {
    self.style = style
    self.title = title
    self.handler = handler
  }

  /// Chooses the action; returns whether it was performed.
  @discardableResult public func choose() -> Bool {
    var result = false
    handler(self, UIView()) { result = $0 }
    return result
  }
}

/// A nib, which makes cells of a class.
@MainActor public final class UINib {
  let cellClass: AnyClass
  /// A nib that has one cell of no class of its own.
  public convenience init(nibName name: String, bundle: Bundle?) { self.init(UITableViewCell.self) }
  /// The stand-in for a nib whose cell has a class.
  public init(_ cellClass: AnyClass) { self.cellClass = cellClass }
}

/// What the pool needs of a cell.
@MainActor protocol PooledCell: AnyObject {
  var reuseIdentifier: String? { get }
  func prepareForReuse()
}

/// The cells of a view: those that show rows, and those that wait to be used again.
@MainActor final class CellPool<Cell: PooledCell> {
  var classes: [String: AnyClass] = [:]
  var shown: [Int: (cell: Cell, path: IndexPath)] = [:]
  /// The cell of the row that is being reconfigured.
  var reconfiguring: Cell?
  private var waiting: [String: [Cell]] = [:]
  private(set) var reused = 0

  func dequeue(_ identifier: String, _ make: (AnyClass?) -> Cell) -> Cell {
    if let cell = reconfiguring, cell.reuseIdentifier == identifier { return cell }
    if let cell = waiting[identifier]?.popLast() {
      reused += 1
      cell.prepareForReuse()
      return cell
    }
    return make(classes[identifier])
  }

  /// Removes the cells of rows that are no longer visible.
  func remove(except rows: Set<Int>) -> [(Cell, IndexPath)] {
    let gone = shown.filter { !rows.contains($0.key) }
    for (row, entry) in gone {
      shown[row] = nil
      waiting[entry.cell.reuseIdentifier ?? "", default: []].append(entry.cell)
    }
    return gone.values.map { ($0.cell, $0.path) }
  }

  func removeAll() -> [(Cell, IndexPath)] { remove(except: []) }
}
