/// What servers call their lists, and what lies around them.
enum ListNames {
  /// Names of the array of rows.
  static let lists: Set<String> = [
    "data", "items", "results", "list", "records", "rows", "content", "value", "values", "entries",
    "entry", "hits", "docs", "documents", "objects", "elements", "edges", "nodes", "children",
    "result", "collection", "resources", "Resources", "Items", "Results", "Data",
  ]

  /// Names of objects that wrap a list.
  static let wrappers: Set<String> = [
    "data", "result", "results", "response", "d", "payload", "body", "_embedded", "hits", "query",
    "feed", "page", "list", "content", "collection", "Data", "Result", "Response",
  ]

  /// Names of arrays beside the rows, which are never taken for them.
  static let asides: Set<String> = [
    "errors", "warnings", "messages", "details", "links", "link", "_links", "included", "includes",
    "facets", "aggregations", "filters", "sort", "columns", "fields", "headers", "schema",
    "schemas", "extensions", "stages", "suggestions", "sortings",
  ]
}
