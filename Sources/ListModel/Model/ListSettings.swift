/// The rules of a list. Every property has a default; most programs set none.
public struct ListSettings<Item>: Sendable {
  /// What becomes of a row that the list has already.
  public var duplicates = DuplicatePolicy.keepFirst
  /// Leaves rows out before the list sees them. Called off the main actor.
  public var filter: (@Sendable (Item) -> Bool)?
  /// Measures the rows that stay of a page when it is read, off the main actor.
  package var measure: (@Sendable (Item) -> Void)?
  /// How many new rows a load has to bring. It goes on with the next page until it has, so that a
  /// page of duplicates, or one that the filter empties, does not look like the end.
  public var minimumRows = 1
  /// How many pages one load may ask for on that search.
  public var searchPages = 10
  /// How near to an end of the list ``ListModel/rowsWillAppear(_:)`` has the next page loaded, in rows.
  public var prefetchDistance = 20
  /// How much is kept in memory. Pages far from what is shown are given up beyond that, and come back
  /// when they are shown again.
  public var window: ListWindow?
  /// Whether links and redirects may leave the list's home, which is the origin that the first page came
  /// from, after redirects. Another origin gets no credentials, no body, and only headers such as
  /// `Accept`. A list never steps down from `https` to `http` by a link. The default is no: such a link
  /// ends the list as incomplete, such a redirect fails the load.
  public var allowsOtherOrigins = false
  /// Whether loads take what the server's cache has, ask the server, or do both.
  public var cachePolicy = CachePolicy.standard
  /// Where the list is kept for the next time, if anywhere.
  public var keeping: ListKeeping?

  /// The defaults.
  public init() {}
}

/// A bound for what a list keeps in memory.
public enum ListWindow: Hashable, Sendable {
  /// That many rows.
  case rows(Int)
  /// Rows whose answers had that many bytes.
  case bytes(Int)
}

/// What is seen of a list while it is loaded anew, and where that begins.
public enum RefreshMode: Hashable, Sendable {
  /// The old rows stay until the first page is there, and give way in one step.
  case keepVisible
  /// The old rows are out of sight from the start. Where no page comes they are back.
  case replace
  /// The page with this row is loaded again in place of the first one, so that the list stays where it
  /// is. The old rows stay until then. Where the row isn't there, or the paging can't go back to what is
  /// before that page, it is the first page.
  case around(RowID)
}
