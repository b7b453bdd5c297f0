#if canImport(SwiftUI)
  internal import Quire
  internal import SwiftUI

  /// The view of a list in SwiftUI. Rows, placeholder and footer are observed; the bridge adds what can't be:
  /// animations, scrolling to a row, and the end of a refresh, for which `refreshable` waits.
  @MainActor final class ListBridge: ListView {
    var onScroll: ((RowPosition) -> Void)?
    /// Whether the view is on the screen. If not, nothing that a user does with it may reach the list.
    private(set) var isOnScreen = false
    /// The rows that SwiftUI shows. It doesn't say whether they appear before or after their list.
    private var rows: [RowKey: ListedRow] = [:]
    private var isRefreshing = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
      private var front: FrontObserver?
    #endif

    func appear<Item>(_ list: ListController<Item>) {
      let isNew = !isOnScreen
      isOnScreen = true
      if list.view !== self { list.attach(self) }
      list.appeared()
      // Without rows, no row reports that it appears.
      if list.sections.rowCount == 0 { list.rowsWillAppear(nil, fillsView: false) }
      guard isNew else { return }
      #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
        front = FrontObserver { [weak list] in if $0 { list?.cameToFront() } else { list?.leftFront() } }
      #endif
      for position in positions(in: list) {
        list.rowWillAppear(at: position)
        list.act(.show, at: position)
      }
    }

    func disappear<Item>(_ list: ListController<Item>) {
      for position in positions(in: list) { list.act(.hide, at: position) }
      isOnScreen = false
      #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
        front?.stop()
      #endif
      list.disappeared()
      if list.view === self { list.detach() }
    }

    /// Refreshes the list, and returns when the header may close.
    func refresh<Item>(_ list: ListController<Item>) async {
      guard isOnScreen else { return }
      list.refresh()
      guard isRefreshing else { return }
      await withCheckedContinuation { waiting.append($0) }
    }

    #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
      private var pictures: RowPictures?

      /// Returns the pictures of the list, which are loaded over its server.
      func pictures<Item>(of list: ListController<Item>) -> RowPictures {
        if let pictures { return pictures }
        let made = RowPictures(
          load: { [weak list] in await list?.data(at: $0) }, arrived: { _ in })
        pictures = made
        return made
      }
    #endif

    // MARK: - Rows

    func rowAppeared<Item>(_ row: ListedRow, in list: ListController<Item>) {
      let isNew = rows.updateValue(row, forKey: row.id) == nil
      guard isOnScreen else { return }
      list.rowWillAppear(at: row.position)
      if isNew { list.act(.show, at: row.position) }
    }

    func rowDisappeared<Item>(_ row: ListedRow, in list: ListController<Item>) {
      guard rows.removeValue(forKey: row.id) != nil, isOnScreen,
        let position = row.id.id.flatMap(list.position(of:))
      else { return }
      list.act(.hide, at: position)
    }

    /// Returns the positions of the visible rows, which may have moved or be gone.
    private func positions<Item>(in list: ListController<Item>) -> [RowPosition] {
      rows.values.compactMap { row in row.id.id.flatMap(list.position(of:)) }.sorted()
    }

    // MARK: - The view of a list

    func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
      withAnimation { commit() }
    }

    func replaceAll(commit: @escaping () -> Void) { commit() }

    func beginRefreshing() { isRefreshing = true }

    func endRefreshing(_ outcome: LoadToken.Outcome) {
      isRefreshing = false
      let ended = waiting
      waiting = []
      for waiter in ended { waiter.resume() }
    }

    func scroll(to position: RowPosition) { onScroll?(position) }
  }
#endif
