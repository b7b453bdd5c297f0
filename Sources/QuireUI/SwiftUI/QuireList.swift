#if canImport(SwiftUI)
  public import Quire
  public import SwiftUI

  /// A list in SwiftUI: sections, rows, placeholder and footer. Pulling it down refreshes, and rows near the end
  /// load the next page.
  ///
  /// ```swift
  /// struct BooksView: View {
  ///   @State private var screen = ListController(ListModel<Book>(server, "/books"))
  ///
  ///   var body: some View {
  ///     QuireList(screen) { book in Text(book.title) }
  ///   }
  /// }
  /// ```
  ///
  /// A ``ListController`` is `Observable`, so views that read it follow it without a bridge; keep it in a `@State`
  /// or in the model of your app. Swipe actions, deletion and moves are those of the list's delegate. A row is
  /// selected by what you put into it, such as a `Button` or a `NavigationLink`.
  public struct QuireList<Item, Row: View>: View {
    private let list: ListController<Item>
    private let row: (Item) -> Row
    private var parts = ListParts<Item>()

    /// Creates a view of a list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - row: Returns the row of an item.
    public init(_ list: ListController<Item>, @ViewBuilder row: @escaping (Item) -> Row) {
      self.list = list
      self.row = row
    }

    /// The list, with its placeholder and footer.
    public var body: some View {
      // Another list starts with states of its own.
      AttachedList(list: list, row: row, parts: parts).id(ObjectIdentifier(list))
    }

    /// Replaces the standard placeholder.
    public func placeholder<Content: View>(
      @ViewBuilder _ content: @escaping (Placeholder) -> Content
    ) -> QuireList {
      var changed = self
      changed.parts.placeholder = { AnyView(content($0)) }
      return changed
    }

    /// Replaces the standard footer. A tap on its content doesn't retry by itself; call `loadMore()` of the list.
    public func footer<Content: View>(
      @ViewBuilder _ content: @escaping (FooterState) -> Content
    ) -> QuireList {
      var changed = self
      changed.parts.footer = { AnyView(content($0)) }
      return changed
    }

    /// Replaces what is shown above rows that could not be refreshed.
    public func refreshFailure<Content: View>(
      @ViewBuilder _ content: @escaping (LoadError) -> Content
    ) -> QuireList {
      var changed = self
      changed.parts.refreshFailure = { AnyView(content($0)) }
      return changed
    }

    /// Replaces what is shown over the first visible rows when others are new above the list. Call `showNewRows()` of the
    /// list for a tap on it.
    public func newRows<Content: View>(
      @ViewBuilder _ content: @escaping (NewRows) -> Content
    ) -> QuireList {
      var changed = self
      changed.parts.newRows = { AnyView(content($0)) }
      return changed
    }

    /// Draws the headers and footers of a kind, instead of their titles. ``SectionLabel/headerKind`` and
    /// ``SectionLabel/footerKind`` name the kinds.
    ///
    /// ```swift
    /// QuireList(screen) { book in Text(book.title) }
    ///   .sectionView("banner") { section in Text(section.header?.uppercased() ?? "") }
    /// ```
    public func sectionView<Content: View>(
      _ kind: CellKind, @ViewBuilder _ content: @escaping (ListSection<Item>) -> Content
    ) -> QuireList {
      var changed = self
      changed.parts.sectionViews[kind] = { AnyView(content($0)) }
      return changed
    }

    /// Replaces the row that stands for an item that isn't in memory.
    public func evictedRow<Content: View>(
      @ViewBuilder _ content: @escaping () -> Content
    ) -> QuireList {
      var changed = self
      changed.parts.evictedRow = { AnyView(content()) }
      return changed
    }
  }

  extension QuireList {
    /// Replaces the row of a gap. `ListController.select(_:)` or `ListModel.loadGap(_:from:)` loads its rows.
    public func gapRow<Content: View>(
      @ViewBuilder _ content: @escaping (ListGap) -> Content
    ) -> QuireList {
      var changed = self
      changed.parts.gapRow = { AnyView(content($0)) }
      return changed
    }
  }

  /// What a list shows besides the rows of its items; `nil` for the standard views.
  struct ListParts<Item> {
    var placeholder: ((Placeholder) -> AnyView)?
    var footer: ((FooterState) -> AnyView)?
    var refreshFailure: ((LoadError) -> AnyView)?
    var newRows: ((NewRows) -> AnyView)?
    var evictedRow: (() -> AnyView)?
    var gapRow: ((ListGap) -> AnyView)?
    var sectionViews: [CellKind: (ListSection<Item>) -> AnyView] = [:]
  }

  /// A list and the bridge that is attached to it while it is on the screen.
  struct AttachedList<Item, Row: View>: View {
    let list: ListController<Item>
    let row: (Item) -> Row
    let parts: ListParts<Item>
    @State private var bridge = ListBridge()

    var body: some View {
      ScrollViewReader { proxy in
        content
          .safeAreaInset(edge: .top) {
            RefreshFailure(list: list, parts: parts, bridge: bridge)
          }
          .overlay { PlaceholderOverlay(list: list, parts: parts, bridge: bridge) }
          .overlay(alignment: .top) { NewRowsBanner(list: list, parts: parts, bridge: bridge) }
          .onAppear {
            bridge.onScroll = { [weak list] position in
              if let key = list?.key(at: position) { proxy.scrollTo(key) }
            }
            bridge.appear(list)
          }
          .onDisappear { bridge.disappear(list) }
      }
    }

    @ViewBuilder private var content: some View {
      if list.header != .hidden {
        rows.refreshable { [bridge, list] in await bridge.refresh(list) }
      } else {
        rows
      }
    }

    private var rows: some View {
      List {
        ListedSections(list: list, row: row, parts: parts, bridge: bridge)
        ListFooter(list: list, parts: parts, bridge: bridge)
      }
    }
  }
#endif
