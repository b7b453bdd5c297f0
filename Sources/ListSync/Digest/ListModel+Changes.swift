internal import ItemMapping
public import ListModel
internal import ListReading

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ListModel {
  /// The ids of the rows in memory and marks of their content; `nil` if items have no ids.
  ///
  /// Items with a field table, and `Encodable` ones, are marked by their values. Of other items it isn't known whether
  /// they have changed; see ``digest(of:)``.
  public var digest: ListDigest? { makeDigest { ItemMark.of($0) } }

  /// Returns a digest whose marks are those of a text that a closure makes of each item.
  public func digest(of content: (Item) -> String) -> ListDigest? {
    makeDigest { ContentMark.of(content($0)) }
  }

  /// Returns what has changed since an older digest of this list; `nil` if items have no ids.
  public func changes(since older: ListDigest) -> ListDigest.Changes? { digest?.changes(since: older) }

  private func makeDigest(_ mark: (Item) -> UInt64) -> ListDigest? {
    guard let id = identity.id else { return nil }
    var digest = ListDigest(
      [], consistency, isWholeList: hasAllRows && items.count == count && !hasPendingEdits)
    for item in items { digest.add(id(item), mark: mark(item)) }
    return digest
  }

  /// Whether both ends of the list are reached, and neither of them is incomplete.
  private var hasAllRows: Bool {
    // A list that begins with its first page has no previous ones.
    [ListSide.previous, .next].allSatisfy { state(of: $0) == .reachedEnd(.complete) }
  }
}

/// The mark of an item.
enum ItemMark {
  static func of<Item>(_ item: Item) -> UInt64 {
    if let value = item as? BaseItem { return ContentMark.of(value.jsonObject.text()) }
    if let value = item as? any ItemValue { return ContentMark.of(value.jsonObject.text()) }
    if let row = item as? JSONView { return ContentMark.of(row.text) }
    guard let value = item as? any Encodable else { return RowTable.noMark }
    return json(of: value).map { ContentMark.of($0) } ?? RowTable.noMark
  }

  /// Returns the JSON of an item, with its members in the order of their names; `nil` if it can't be encoded.
  static func json(of item: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(item)).map { Array($0) }
  }
}
