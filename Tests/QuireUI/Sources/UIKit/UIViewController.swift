public import Foundation

/// A screen, or a part of one.
@MainActor open class UIViewController: NSObject {
  private var loaded: UIView?
  open var title: String?
  public let navigationItem = UINavigationItem()
  public internal(set) weak var navigationController: UINavigationController?
  open var isEditing: Bool {
    get { (loaded as? UITableView)?.isEditing ?? false }
    set { (loaded as? UITableView)?.isEditing = newValue }
  }
  /// Turns editing on and off.
  open var editButtonItem: UIBarButtonItem {
    UIBarButtonItem(
      primaryAction: UIAction(title: "Edit") { [weak self] _ in self?.isEditing.toggle() })
  }

  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { nil }

  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loaded
    }
    set { loaded = newValue }
  }

  open func loadView() { loaded = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 480)) }

  open func loadViewIfNeeded() {
    guard loaded == nil else { return }
    loadView()
    viewDidLoad()
  }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  open func viewDidLayoutSubviews() {}

  /// Puts the screen into a window, as a container does.
  public func appear(in window: UIWindow) {
    loadViewIfNeeded()
    viewWillAppear(false)
    if let view = loaded {
      window.addSubview(view)
      view.frame = window.bounds
    }
    lay()
    viewDidAppear(false)
  }

  /// Takes the screen out of its window.
  public func disappear() {
    loaded?.removeFromSuperview()
    viewDidDisappear(false)
  }

  /// Gives the screen another width, as a rotation does.
  public func rotate(to width: CGFloat) {
    loaded?.frame.size.width = width
    lay()
  }

  /// Lays out the views.
  public func lay() {
    loaded?.layoutIfNeeded()
    viewDidLayoutSubviews()
    loaded?.layoutIfNeeded()
  }
}

/// A screen that is a table.
@MainActor
open class UITableViewController: UIViewController, UITableViewDataSource,
  UITableViewDelegate
{
  private let style: UITableView.Style

  public init(style: UITableView.Style) {
    self.style = style
    super.init(nibName: nil, bundle: nil)
  }

  public required init?(coder: NSCoder) { nil }

  open var tableView: UITableView! {
    get { view as? UITableView }
    set { view = newValue }
  }

  open override func loadView() {
    let table = UITableView(frame: CGRect(x: 0, y: 0, width: 320, height: 480), style: style)
    table.dataSource = self
    table.delegate = self
    view = table
  }

  // UIKit finds these in the class because it conforms to the protocols.
  open func numberOfSections(in tableView: UITableView) -> Int { 1 }
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
  open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }
  open func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? { nil }
  open func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? { nil }
  open func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
    UITableView.automaticDimension
  }
  open func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
    UITableView.automaticDimension
  }
  open func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
    UITableView.automaticDimension
  }
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell(style: .default, reuseIdentifier: nil)
  }
  open func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {}
  open func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath) {
  }
  open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
  open func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {}
  open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }
  open func tableView(_ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath)
    -> UITableViewCell.EditingStyle
  { .delete }
  open func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
  ) {}
  open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
  open func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath { proposedDestinationIndexPath }
  open func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
  ) {}
  open func tableView(_ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath)
    -> UISwipeActionsConfiguration?
  { nil }
  open func tableView(_ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath)
    -> UISwipeActionsConfiguration?
  { nil }
  open func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  open func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
}

/// A screen that is a collection.
@MainActor
open class UICollectionViewController: UIViewController, UICollectionViewDataSource,
  UICollectionViewDelegate
{
  /// Whether a long press moves items. The gesture belongs to the controller, so it asks the controller.
  open var installsStandardGestureForInteractiveMovement = true
  private let layout: UICollectionViewLayout
  open private(set) var collectionView: UICollectionView!

  public init(collectionViewLayout layout: UICollectionViewLayout) {
    self.layout = layout
    super.init(nibName: nil, bundle: nil)
  }

  public required init?(coder: NSCoder) { nil }

  /// Presses an item long; returns whether that picks it up.
  public func longPress(_ path: IndexPath) -> Bool {
    installsStandardGestureForInteractiveMovement && collectionView.dataSource === self
      && collectionView.beginDrag(path)
  }

  open override func loadView() {
    let collection = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 320, height: 480), collectionViewLayout: layout)
    collection.dataSource = self
    collection.delegate = self
    collectionView = collection
    view = collection
  }

  open func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
  open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 0 }
  open func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView { UICollectionReusableView(frame: .zero) }
  open func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  { UICollectionViewCell(frame: .zero) }
  open func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  open func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  open func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {}
  open func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {}
  open func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool { false }
  open func collectionView(
    _ collectionView: UICollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath { proposedIndexPath }
  open func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
  ) {}
  open func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  open func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
}

/// What a screen shows in the bar above it.
@MainActor public final class UINavigationItem {
  public var rightBarButtonItem: UIBarButtonItem?
}

/// A button in a bar.
@MainActor public final class UIBarButtonItem {
  public let primaryAction: UIAction?
  public init(primaryAction: UIAction?) { self.primaryAction = primaryAction }
}

/// Screens on top of each other.
@MainActor public final class UINavigationController: UIViewController {
  public private(set) var viewControllers: [UIViewController]

  public init(rootViewController: UIViewController) {
    viewControllers = [rootViewController]
    super.init(nibName: nil, bundle: nil)
    rootViewController.navigationController = self
  }

  public required init?(coder: NSCoder) { nil }

  public func pushViewController(_ viewController: UIViewController, animated: Bool) {
    viewController.navigationController = self
    viewControllers.append(viewController)
  }
}
