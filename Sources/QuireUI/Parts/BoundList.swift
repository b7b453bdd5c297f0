#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Foundation
  internal import Quire

  /// A `ListController` without the type of its items, so that data sources don't need it.
  @MainActor protocol BoundList: AnyObject {
    var sectionCount: Int { get }
    var header: RefreshHeader.State { get }
    var footer: FooterState { get }
    var refreshFailure: LoadError? { get }
    var newRows: NewRows? { get }
    var isLoadingPrevious: Bool { get }
    var isLoadingAboveLastRows: Bool { get }
    var texts: Placeholder.Plan.Texts { get }
    var view: (any ListView)? { get }

    func rowCount(inSection number: Int) -> Int
    func title(_ part: SectionPart, of number: Int) -> SectionTitle
    func kind(at position: RowPosition) -> CellKind?
    func rowContent(at position: RowPosition) -> RowContent
    /// Loads what is at an address over the server of the list.
    func data(at address: String) async -> Data?
    func configure(_ cell: Any, at position: RowPosition) -> Bool
    func height(at position: RowPosition, width: Double) -> Double?
    func attach(_ view: any ListView)
    func detach()
    func rowsWillAppear(_ rows: ClosedRange<RowPosition>?, fillsView: Bool)
    func didScroll(offset: Double, viewport: Double, content: Double)
    func didRelease()
    func refresh(silently: Bool)
    func showNewRows()
    func leftFront()
    func cameToFront()
    func loadMore()
    func performPlaceholderAction()
    func act(_ action: RowAction, at position: RowPosition) -> RowAction.Reply
    func select(_ position: RowPosition) -> RowAction.Reply
    func deselect(_ position: RowPosition) -> RowAction.Reply
    func editing(at position: RowPosition) -> RowAction?
    func canMove(_ position: RowPosition) -> Bool
    func move(from old: RowPosition, to new: RowPosition) -> RowAction.Reply
    func swipeActions(at position: RowPosition, on edge: RowAction.Swipe.Edge) -> [RowAction.Swipe]
  }

  /// The title above or below a section.
  struct SectionTitle {
    var text: String?
    /// The height; 0 for none, `nil` if the view decides.
    var height: Double?
  }

  extension ListController: BoundList {
    var sectionCount: Int { sections.sections.count }
    var texts: Placeholder.Plan.Texts { settings.placeholders.texts }

    func rowCount(inSection number: Int) -> Int { sections.rowCount(inSection: number) }

    func title(_ part: SectionPart, of number: Int) -> SectionTitle {
      guard let section = sections.section(at: number) else { return SectionTitle(height: 0) }
      return switch part {
      case .header: SectionTitle(text: section.header, height: section.headerHeight)
      case .footer: SectionTitle(text: section.footer, height: section.footerHeight)
      }
    }

    /// Returns what a standard cell shows: the content of the row, or else the description of its item.
    func rowContent(at position: RowPosition) -> RowContent {
      content(at: position) ?? RowContent(item(at: position).map { "\($0)" } ?? "…")
    }

    func data(at address: String) async -> Data? {
      var call = Call(address, priority: .visible)
      call.content = .any
      guard let body = try? await model?.server.send(call).body else { return nil }
      return body.withUnsafeBytes { Data($0) }
    }

    /// Returns the height that the program gives to a row, measured for the width that the view has now; `nil` for that
    /// of its content. A view that changes its width asks again for all rows.
    func height(at position: RowPosition, width: Double) -> Double? {
      heights.width = width
      return givenHeight(at: position)
    }
  }
#endif
