#if canImport(SwiftUI)
  internal import Quire

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
