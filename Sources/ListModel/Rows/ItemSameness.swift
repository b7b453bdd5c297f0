internal import ItemMapping

/// Whether two items with one id also say the same, so that a refresh does not report rows as changed
/// that are not.
package enum ItemSameness {
  /// By the type's own equality, or for items with a table by their mapped values. Without either, it
  /// can't be known.
  package static func isSame<Item>(_ a: Item, _ b: Item) -> Bool {
    if let a = a as? any Equatable { return isEqual(a, b) }
    if let a = a as? any JSONValue { return isSameValue(a, b) }
    return false
  }

  private static func isEqual<Value: Equatable>(_ a: Value, _ b: Any) -> Bool {
    (b as? Value).map { $0 == a } ?? false
  }

  private static func isSameValue<Value: JSONValue>(_ a: Value, _ b: Any) -> Bool {
    (b as? Value).map { a.isSame(as: $0) } ?? false
  }
}
