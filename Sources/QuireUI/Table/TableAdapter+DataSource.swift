#if canImport(UIKit)
  internal import Quire
  internal import UIKit

  extension TableAdapter: UITableViewDataSource {
    func numberOfSections(in tableView: UITableView) -> Int { list.sectionCount }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      list.rowCount(inSection: section)
    }

    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
      list.title(.header, of: section).text
    }

    func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
      list.title(.footer, of: section).text
    }

    // MARK: - Cells

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let position = RowPosition(indexPath)
      let kind = list.kind(at: position) ?? .standard
      let cell = cell?(kind, indexPath) ?? registeredCell(kind, indexPath)
      ledger.gave(cell, for: position, kind)
      guard !list.configure(cell, at: position), configure?(cell, position) != true else {
        return cell
      }
      let shown = list.rowContent(at: position)
      var content = cell.defaultContentConfiguration()
      content.text = shown.title
      content.secondaryText = shown.subtitle
      content.image = shown.image.flatMap(surroundings.drawing.image)
      cell.contentConfiguration = content
      return cell
    }

    private func registeredCell(_ kind: CellKind, _ path: IndexPath) -> UITableViewCell {
      if registered.insert(kind).inserted {
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: kind.rawValue)
      }
      return tableView.dequeueReusableCell(withIdentifier: kind.rawValue, for: path)
    }

    // MARK: - Editing

    // UIKit asks for swipe actions only of rows that can be edited.
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      let position = RowPosition(indexPath)
      return list.editing(at: position) != .none
        || !list.swipeActions(at: position, on: .trailing).isEmpty
        || !list.swipeActions(at: position, on: .leading).isEmpty
    }

    func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
      forRowAt indexPath: IndexPath
    ) {
      let position = RowPosition(indexPath)
      switch editingStyle {
      case .delete: _ = list.commit(.delete, at: position)
      case .insert: _ = list.commit(.insert, at: position)
      default: break
      }
    }

    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      list.canMove(RowPosition(indexPath))
    }

    func tableView(
      _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) {
      // The rows changed under the finger: another row may be there now.
      guard handMove.drop() else { return replaceAll {} }
      _ = list.move(from: RowPosition(sourceIndexPath), to: RowPosition(destinationIndexPath))
    }
  }
#endif
