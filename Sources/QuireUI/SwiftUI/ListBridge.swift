#if canImport(SwiftUI)
  internal import Quire
  internal import SwiftUI

  /// The view of a list in SwiftUI. Rows, placeholder and footer are observed; the bridge adds what can't be:
  /// animations, scrolling to a row, and the end of a refresh, for which `refreshable` waits.
  @MainActor final class ListBridge: ListView {
    var onScroll: ((RowPosition) -> Void)?
    private var isRefreshing = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func appear<Item>(_ list: ListController<Item>) {
      if list.view !== self { list.attach(self) }
      list.appeared()
      // Without rows, no row reports that it appears.
      if list.sections.rowCount == 0 { list.rowsWillAppear(VisibleRows(nil, fillsView: false)) }
    }

    func disappear<Item>(_ list: ListController<Item>) {
      list.disappeared()
      if list.view === self { list.detach() }
    }

    /// Refreshes the list, and returns when the header may close.
    func refresh<Item>(_ list: ListController<Item>) async {
      list.refresh()
      guard isRefreshing else { return }
      await withCheckedContinuation { waiting.append($0) }
    }

    func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
      withAnimation { commit() }
    }

    func replaceAll(commit: @escaping () -> Void) { commit() }

    func beginRefreshing() { isRefreshing = true }

    func endRefreshing(_ outcome: RefreshOutcome) {
      isRefreshing = false
      let ended = waiting
      waiting = []
      for waiter in ended { waiter.resume() }
    }

    func scroll(to position: RowPosition) { onScroll?(position) }
  }
#endif
