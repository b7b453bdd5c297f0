internal import ItemMapping
internal import ListModel

/// What a look at a table has found.
struct TableLook<Item> {
  var rows = FollowedRows<Item>()
  /// Whether the table was read; also if it has no rows.
  var isRead = false
  /// Whether more rows of the same moment follow.
  var hasMore = false
  /// What was found in rows that were decoded; `nil` if none was.
  var report: MappingReport?
  var failure: CollectError?
}
