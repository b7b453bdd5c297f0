internal import ItemMapping

extension PageStrategy {
  /// Whether rows or pages are counted, so that the end is found by counting too.
  var isCounted: Bool {
    switch way {
    case .pageNumber, .offset, .range: true
    default: false
    }
  }

  /// Whether what leads to the next page marks one place in the order of the rows. The key of a row does only if
  /// no two rows can have the same one.
  ///
  /// - Parameter ids: The path of the ids of rows.
  func marksPlaces(ids: JSONPath?) -> Bool {
    guard case .keyset(let keyset) = way else { return true }
    return keyset.isUnique || ids.map(keyset.fields.contains) ?? false
  }
}
