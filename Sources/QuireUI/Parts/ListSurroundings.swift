#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// What a binding shows around the cells of a scroll view: refresh control, footer and placeholder.
  @MainActor final class ListSurroundings {
    private let scrollView: UIScrollView
    /// Returns the list while its rows are shown in this view.
    private let attachedList: () -> (any BoundList)?
    /// Puts the footer into the view, or removes it.
    private let placeFooter: (ListFooterView?) -> Void
    private var placeholder: Placeholder?
    private var standard: PlaceholderView?
    private(set) var placeholderView: UIView?
    private(set) var footerView: ListFooterView?
    let top: ListTop
    private let pictures: RowPictures
    private let front: FrontObserver

    var drawing = ListDrawing() {
      didSet {
        guard let list = attachedList() else { return }
        show(list.header)
        show(list.footer)
        showRefreshFailure(list.refreshFailure)
        showNewRows(list.newRows)
        draw()
      }
    }

    init(
      _ scrollView: UIScrollView, attachedList: @escaping @MainActor @Sendable () -> (any BoundList)?,
      placeFooter: @escaping (ListFooterView?) -> Void, pictures: RowPictures
    ) {
      self.scrollView = scrollView
      self.attachedList = attachedList
      self.pictures = pictures
      top = ListTop(scrollView, attachedList: attachedList)
      self.placeFooter = placeFooter
      front = FrontObserver { isInFront in
        if isInFront { attachedList()?.cameToFront() } else { attachedList()?.leftFront() }
      }
    }

    isolated deinit { front.stop() }

    /// Returns a picture; `nil` while it is loaded, and if there is none.
    func picture(_ image: RowContent.Image) -> UIImage? { pictures.picture(image, drawing) }

    /// Draws the placeholder again if it has the picture at an address.
    func arrived(_ address: String) {
      if case .parts(let parts)? = placeholder?.body, parts.image == .address(address) { draw() }
    }

    /// The height of the footer; 0 if it is hidden.
    var footerHeight: CGFloat {
      guard footerView != nil, drawing.footerHeight.isFinite else { return 0 }
      return max(0, drawing.footerHeight)
    }

    // MARK: - Above the rows

    func show(_ header: RefreshHeader.State) { top.show(header, drawing) }
    func beginRefreshing() { top.beginRefreshing(drawing) }
    func endRefreshing() { top.endRefreshing(drawing) }
    func showRefreshFailure(_ error: LoadError?) { top.show(error, drawing) }
    func showNewRows(_ newRows: NewRows?) { top.show(newRows, drawing) }

    // MARK: - Footer

    func show(_ footer: FooterState) {
      guard footer != .hidden else {
        guard footerView != nil else { return }
        footerView = nil
        return placeFooter(nil)
      }
      let isNew = footerView == nil
      let view = footerView ?? ListFooterView { [attachedList] in attachedList()?.loadMore() }
      footerView = view
      let text = drawing.footerText.map { $0(footer) } ?? attachedList()?.texts.footer(footer)
      view.show(footer, text, drawing)
      let size = CGSize(width: scrollView.bounds.width, height: footerHeight)
      guard isNew || view.frame.size.height != size.height else { return }
      view.frame.size = size
      placeFooter(view)
    }

    // MARK: - Placeholder

    func show(_ placeholder: Placeholder?) {
      self.placeholder = placeholder
      draw()
    }

    private func draw() {
      let view = placeholder.flatMap(view)
      if view !== placeholderView {
        placeholderView?.removeFromSuperview()
        placeholderView = view
        if let view {
          view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
          scrollView.addSubview(view)
        }
      }
      layOut()
    }

    private func view(of placeholder: Placeholder) -> UIView? {
      if let custom = drawing.placeholder(placeholder) { return custom }
      guard case .parts = placeholder.body else { return nil }
      let view =
        standard
        ?? PlaceholderView { [attachedList] _ in
          attachedList()?.performPlaceholderAction()
        }
      standard = view
      view.show(placeholder, drawing, picture)
      return view
    }

    /// Puts placeholder and failure where the view is scrolled to.
    func layOut() {
      top.layOut(drawing)
      guard let placeholder, let placeholderView else { return }
      let insets = scrollView.adjustedContentInset
      // A header of the table and the titles of empty sections stay visible above it.
      let table = scrollView as? UITableView
      let above = max(0, scrollView.contentSize.height - (table?.tableFooterView?.frame.height ?? 0))
      let scrolled = placeholder.scrollsWithContent ? 0 : scrollView.contentOffset.y + insets.top
      let height = scrollView.bounds.height - insets.top - insets.bottom - above
      placeholderView.frame = CGRect(
        x: 0, y: scrolled + above, width: scrollView.bounds.width, height: max(0, height))
    }

    // MARK: - Scrolling

    /// Reports a scroll to the list. The system's refresh control measures pulls down by itself.
    func didScroll() {
      layOut()
      let insets = scrollView.adjustedContentInset
      let offset = scrollView.contentOffset.y + insets.top
      attachedList()?.didScroll(
        offset: drawing.header == nil ? max(0, offset) : offset,
        viewport: scrollView.bounds.height,
        content: scrollView.contentSize.height + insets.top + insets.bottom)
    }

    /// Returns the first and the last of the visible rows, and whether they fill the view.
    func visible(_ rows: [RowPosition]) -> (rows: ClosedRange<RowPosition>?, fillsView: Bool) {
      let insets = scrollView.adjustedContentInset
      let fillsView =
        scrollView.contentSize.height - footerHeight
        >= scrollView.bounds.height - insets.top - insets.bottom
      guard let first = rows.min(), let last = rows.max() else {
        return (nil, fillsView: fillsView)
      }
      return (first...last, fillsView: fillsView)
    }

    /// Removes everything from the view.
    func clear() {
      show(RefreshHeader.State.hidden)
      show(FooterState.hidden)
      endRefreshing()
      showRefreshFailure(nil)
      showNewRows(nil)
      show(Placeholder?.none)
    }
  }
#endif
