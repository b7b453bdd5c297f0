#if SQLITE
  internal import ItemMapping
  internal import ListReading

  /// Decodes the JSON of rows.
  struct RowDecoder<Item>: Sendable {
    let reader: PageReader<Item>
    let identity: ItemIdentity<Item>

    /// The items of rows in order, without those that can't be decoded, and for each row the id of its item.
    struct Decoded {
      var items: [Item] = []
      var ids: [RowID?] = []
      var report: MappingReport?
    }

    func decode(_ rows: [String]) -> sending Decoded {
      guard !rows.isEmpty else { return Decoded() }
      // As one page, which takes less time than each by itself.
      if rows.count > 1, let page = read("[\(rows.joined(separator: ","))]"), page.items.count == rows.count,
        page.report?.droppedItems == 0
      {
        return page
      }
      var all = Decoded()
      for row in rows {
        let page = read("[\(row)]")
        if let page, page.items.count == 1 {
          all.items += page.items
          all.ids += page.ids
          if let report = page.report, all.report?.isClean != false { all.report = report }
        } else {
          all.ids.append(nil)
          if let report = page?.report { all.report = report }
        }
      }
      return all
    }

    private func read(_ text: String) -> sending Decoded? {
      guard let document = try? JSONDocument(Array(text.utf8)),
        let mapped = try? reader.items(in: document, at: .root)
      else { return nil }
      let ids = mapped.value.map { identity.id?($0) }
      return Decoded(items: mapped.value, ids: ids, report: mapped.report)
    }
  }
#endif
