internal import ItemMapping

extension PageStrategy {
  /// Whether rows or pages are counted, so that the end is found by counting too.
  var isCounted: Bool {
    switch way {
    case .pageNumber, .offset, .range: true
    default: false
    }
  }

  /// Whether the next page starts after values of a row.
  var isKeyset: Bool { if case .keyset = way { true } else { false } }

  /// Whether the next page starts after values of a row that other rows may have too.
  var keysCanTie: Bool {
    if case .keyset(let keyset) = way { !keyset.isUnique } else { false }
  }
}

extension PageFacts.Link {
  /// Whether the values of a row that lead to the page have this id among them. Ids are unique, so no other row has
  /// the same values.
  func hasKey(_ id: RowID) -> Bool {
    guard case .page(let key) = self, case .after(.array(let values)) = key.place else {
      return false
    }
    return values.contains { value in
      (value.int.map { .number($0) } ?? value.string.map { .text($0) }) == id
    }
  }
}
