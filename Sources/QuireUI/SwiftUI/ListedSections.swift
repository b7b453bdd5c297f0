#if canImport(SwiftUI)
  internal import Foundation
  internal import Quire
  internal import SwiftUI

  /// The sections of a list. A view of its own, so that other changes don't evaluate all rows again.
  struct ListedSections<Item, Row: View>: View {
    let list: ListController<Item>
    let row: (Item) -> Row
    let parts: ListParts<Item>
    let bridge: ListBridge

    var body: some View {
      ForEach(list.listedSections) { section in
        Section {
          rows(of: section)
        } header: {
          title(section.section.header, section.section.headerKind, of: section)
        } footer: {
          title(section.section.footer, section.section.footerKind, of: section)
        }
      }
    }

    @ViewBuilder private func title(
      _ text: String?, _ kind: CellKind?, of section: ListedSection<Item>
    ) -> some View {
      if let view = kind.flatMap({ parts.sectionViews[$0] }) {
        view(section.section)
      } else if let text {
        Text(text)
      }
    }

    private func rows(of section: ListedSection<Item>) -> some View {
      ForEach(list.listedRows(of: section)) { listed in
        ListedRowView(
          list: list, listed: listed, bridge: bridge,
          content: section.section.rows[listed.position.row].item.map(row),
          evicted: parts.evictedRow, gap: parts.gapRow
        )
        .deleteDisabled(list.editing(at: listed.position) != .delete)
        .moveDisabled(!list.canMove(listed.position))
      }
      .onDelete { delete($0, in: section.number) }
      .onMove { move($0, to: $1, in: section.number) }
    }

    private func delete(_ rows: IndexSet, in section: Int) {
      guard bridge.isOnScreen else { return }
      // From last to first, so that the others keep their positions.
      for row in rows.reversed() {
        list.act(.delete, at: RowPosition(section: section, row: row))
      }
    }

    private func move(_ rows: IndexSet, to target: Int, in section: Int) {
      // Only a list with a selection moves several rows at once.
      guard bridge.isOnScreen, rows.count == 1, let row = rows.first else { return }
      // SwiftUI counts the target before the row is taken out.
      let place = target > row ? target - 1 : target
      guard place != row else { return }
      list.move(
        from: RowPosition(section: section, row: row),
        to: RowPosition(section: section, row: place))
    }
  }

  /// A row with its swipe actions. It reports to the list when it is visible.
  struct ListedRowView<Item, Row: View>: View {
    let list: ListController<Item>
    let listed: ListedRow
    let bridge: ListBridge
    let content: Row?
    let evicted: (() -> AnyView)?
    let gap: ((ListGap) -> AnyView)?

    var body: some View {
      swipeable
        .onAppear { bridge.rowAppeared(listed, in: list) }
        .onDisappear { bridge.rowDisappeared(listed, in: list) }
    }

    #if os(tvOS)
      // Rows aren't swiped there.
      private var swipeable: some View { shown }
    #else
      @ViewBuilder private var swipeable: some View {
        let leading = list.swipeActions(at: listed.position, on: .leading)
        let trailing = list.swipeActions(at: listed.position, on: .trailing)
        // Empty actions would hide the one with which SwiftUI deletes a row.
        if leading.isEmpty, trailing.isEmpty {
          shown
        } else if trailing.isEmpty {
          shown.swipeActions(edge: .leading) { buttons(leading) }
        } else {
          shown
            .swipeActions(edge: .leading) { buttons(leading) }
            .swipeActions(edge: .trailing) { buttons(trailing) }
        }
      }

      private func buttons(_ actions: [RowAction.Swipe]) -> some View {
        ForEach(actions) { action in
          Button(role: action.isDestructive ? .destructive : nil) {
            guard bridge.isOnScreen else { return }
            // The row may have moved while its actions were shown.
            let place = listed.id.id.map { list.position(of: $0) } ?? listed.position
            if let place { list.act(.swipe(action.id), at: place) }
          } label: {
            RowImage(image: action.image)
            Text(action.title)
          }
        }
      }
    #endif

    @ViewBuilder private var shown: some View {
      if let content {
        content
      } else if let place = list.gap(at: listed.position) {
        if let gap {
          gap(place)
        } else {
          Button(list.content(at: listed.position)?.title ?? "…") { [bridge, list] in
            if bridge.isOnScreen { list.loadGap(at: listed.position) }
          }
        }
      } else if let evicted {
        evicted()
      } else {
        Text("…")
      }
    }
  }

  /// The identity of a row in SwiftUI, which must be unique: the same item may be in several sections, and a
  /// section of the program may have it twice.
  struct RowKey: Hashable {
    var section: SectionKey
    var id: RowID?
    /// How often the id occurs before; for rows without one, the number of the row.
    var number: Int
  }

  /// The identity of a section in SwiftUI. A label may start several sections.
  struct SectionKey: Hashable {
    var id: RowID
    var number: Int
  }

  /// A row with its identity.
  struct ListedRow: Identifiable {
    let id: RowKey
    let position: RowPosition
  }

  /// A section with its identity.
  struct ListedSection<Item>: Identifiable {
    let id: SectionKey
    let number: Int
    let section: ListSection<Item>
  }

  extension ListController {
    /// The sections with their identities.
    var listedSections: [ListedSection<Item>] {
      var seen: [RowID: Int] = [:]
      return sections.sections.enumerated().map { number, section in
        let earlier = seen[section.id, default: 0]
        seen[section.id] = earlier + 1
        return ListedSection(
          id: SectionKey(id: section.id, number: earlier), number: number, section: section)
      }
    }

    /// Returns the rows of a section with their identities.
    func listedRows(of section: ListedSection<Item>) -> [ListedRow] {
      var seen: [RowID: Int] = [:]
      return section.section.rows.enumerated().map { number, row in
        let id = row.item.flatMap(id(of:))
        var key = RowKey(section: section.id, id: id, number: number)
        if let id {
          key.number = seen[id, default: 0]
          seen[id] = key.number + 1
        }
        return ListedRow(id: key, position: RowPosition(section: section.number, row: number))
      }
    }

    /// Returns the identity of a row.
    func key(at position: RowPosition) -> RowKey? {
      let all = listedSections
      guard all.indices.contains(position.section) else { return nil }
      let rows = listedRows(of: all[position.section])
      return rows.indices.contains(position.row) ? rows[position.row].id : nil
    }
  }
#endif
