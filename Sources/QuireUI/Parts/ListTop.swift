#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// What a binding shows above the rows: the refresh control, room for a header of the program, the failure of a
  /// refresh, and the number of new rows.
  @MainActor final class ListTop {
    private let scrollView: UIScrollView
    /// Returns the list while its rows are shown in the view.
    private let attachedList: () -> (any BoundList)?
    private var refreshControl: UIRefreshControl?
    private var isRefreshing = false
    private(set) var failureView: RefreshFailureView?
    private(set) var newRowsView: NewRowsView?
    /// What is added to the top inset.
    private var heldInset: CGFloat = 0

    init(_ scrollView: UIScrollView, attachedList: @escaping () -> (any BoundList)?) {
      self.scrollView = scrollView
      self.attachedList = attachedList
    }

    // MARK: - Header

    func show(_ header: RefreshHeader.State, _ drawing: ListDrawing) {
      drawing.header?(header)
      // UIKit has no refresh control in an app that is optimized for the Mac.
      let canPull = UIDevice.current.userInterfaceIdiom != .mac
      let needsControl = canPull && drawing.header == nil && header != .hidden
      if needsControl, refreshControl == nil {
        let control = UIRefreshControl()
        let pulled = UIAction { [attachedList, weak control] _ in
          // Nothing would end a control that has no list.
          if let list = attachedList() {
            list.refresh(silently: false)
          } else {
            control?.endRefreshing()
          }
        }
        control.addAction(pulled, for: .valueChanged)
        refreshControl = control
        scrollView.refreshControl = control
        if header == .loading { begin(control) }
      } else if !needsControl, let control = refreshControl {
        control.endRefreshing()
        refreshControl = nil
        if scrollView.refreshControl === control { scrollView.refreshControl = nil }
      }
      hold(drawing)
    }

    func beginRefreshing(_ drawing: ListDrawing) {
      isRefreshing = true
      if let refreshControl { begin(refreshControl) }
      hold(drawing)
    }

    func endRefreshing(_ drawing: ListDrawing) {
      isRefreshing = false
      refreshControl?.endRefreshing()
      hold(drawing)
    }

    private func begin(_ control: UIRefreshControl) {
      guard !control.isRefreshing else { return }
      // The control adds its height to the inset when it begins.
      let top = -scrollView.adjustedContentInset.top
      let isAtTop = isAtTop
      control.beginRefreshing()
      // A control that wasn't pulled stays above the rows until they are scrolled down.
      if isAtTop { scroll(to: top - control.frame.height) }
    }

    // MARK: - Failure

    /// Shows that a refresh failed; `nil` if it didn't.
    func show(_ failure: LoadError?, _ drawing: ListDrawing) {
      let text = attachedList()?.texts.refreshFailed ?? ""
      let custom = failure.flatMap(drawing.refreshFailure)
      if failure == nil || custom == nil && text.isEmpty {
        failureView?.removeFromSuperview()
        failureView = nil
      } else {
        let view =
          failureView
          ?? RefreshFailureView { [attachedList] in attachedList()?.refresh(silently: false) }
        failureView = view
        view.show(text, custom)
        if view.superview == nil { scrollView.addSubview(view) }
      }
      hold(drawing)
    }

    // MARK: - New rows

    /// Shows how many rows are new above the list; `nil` if none are known. Nothing moves for it.
    func show(_ newRows: NewRows?, _ drawing: ListDrawing) {
      let text = newRows.flatMap { attachedList()?.texts.newRows($0) } ?? ""
      let custom = newRows.flatMap(drawing.newRows)
      if newRows == nil || custom == nil && text.isEmpty {
        newRowsView?.removeFromSuperview()
        newRowsView = nil
      } else {
        let view = newRowsView ?? NewRowsView { [attachedList] in attachedList()?.showNewRows() }
        newRowsView = view
        view.show(text, custom)
        if view.superview == nil { scrollView.addSubview(view) }
      }
      layOut(drawing)
    }

    // MARK: - Layout

    /// Puts failure and new rows at the top of what is visible. The rows scroll below them.
    func layOut(_ drawing: ListDrawing) {
      guard failureView != nil || newRowsView != nil else { return }
      hold(drawing)
      let width = scrollView.bounds.width
      let top = scrollView.contentOffset.y + scrollView.adjustedContentInset.top
      if let failureView {
        let height = failureView.size(in: width).height
        failureView.frame = CGRect(x: 0, y: top - height, width: width, height: height)
      }
      if let newRowsView {
        let size = newRowsView.size(in: width)
        newRowsView.frame = CGRect(x: (width - size.width) / 2, y: top, width: size.width, height: size.height)
      }
      raise()
    }

    /// Puts failure and new rows in front of the cells, which are added on top of them.
    func raise() {
      for case let view? in [failureView, newRowsView] { scrollView.bringSubviewToFront(view) }
    }

    // MARK: - Room above the rows

    /// Keeps the rows below a header that is open, and below a failure. Rows at the top follow.
    private func hold(_ drawing: ListDrawing) {
      let header = isRefreshing && drawing.header != nil ? drawing.headerHeight : 0
      let failure = failureView?.size(in: scrollView.bounds.width).height ?? 0
      let inset = (header.isFinite ? max(0, header) : 0) + failure
      guard inset != heldInset else { return }
      let isAtTop = isAtTop
      scrollView.contentInset.top += inset - heldInset
      heldInset = inset
      if isAtTop { scroll(to: -scrollView.adjustedContentInset.top) }
      layOut(drawing)
    }

    private var isAtTop: Bool {
      scrollView.contentOffset.y < 1 - scrollView.adjustedContentInset.top
    }

    private func scroll(to offset: CGFloat) {
      guard scrollView.window != nil, !scrollView.isDragging else { return }
      scrollView.setContentOffset(
        CGPoint(x: scrollView.contentOffset.x, y: offset), animated: true)
    }
  }
#endif
