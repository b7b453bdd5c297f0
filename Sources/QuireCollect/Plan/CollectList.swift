public import ItemMapping
public import ListReading
public import ListSync
public import ServerAPI

/// A list of a server, and the table that its rows go to.
///
/// ```swift
/// var books = CollectList("books", Call("/books"), items: "data.books")
/// books.watermark = .newestFirst(by: "updated_at")
/// books.deletes = .hard
/// ```
public struct CollectList: Sendable {
  /// The name of the table.
  public var name: String
  /// The call for every page: address, parameters, method, headers, body.
  public var call: Call
  /// The path of the rows in a response; `nil` to recognize it.
  public var items: JSONPath?
  /// The path of the id in a row; `nil` to recognize it.
  public var id: JSONPath?
  /// How pages are requested, and how the end is detected.
  public var paging = Paging.automatic
  /// How many extra requests may be sent to find missing rows.
  public var consistency = Consistency.Level.seams
  /// Where each response has the version of the whole list; see ``ListSync``.
  public var version: ResponseLocation?
  /// Whether links and redirects may leave the list's home.
  public var allowsOtherOrigins = false
  /// How many pages may be in flight at once.
  public var parallel = 1
  /// How rounds between full ones read only the rows that may have changed; `nil` to read the whole list each time.
  public var watermark: SyncWatermark?
  /// Assumptions about the server that no delete may rest on.
  public var distrusts: Set<ListAssumption> = []
  /// What happens to rows that are proven gone.
  public var deletes = Deletes.soft
  /// How many rows may be deleted in one round.
  public var deleteLimit = DeleteLimit()
  /// Lists that are read for each row of this one. Their rows have one table for each of these lists.
  ///
  /// The address of a child and the texts of its parameters name members of the row in braces; `{{` and `}}` are braces
  /// of the text.
  ///
  /// ```swift
  /// var books = CollectList("books", Call("/books"))
  /// books.children = [CollectList("reviews", Call("/books/{id}/reviews"))]
  /// ```
  public var children: [CollectList] = []
  /// What a list that is read for each row of another one belongs to, as a ``RowSink`` sees it; `nil` for other lists.
  public internal(set) var parent: Parent?

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - call: The call for every page.
  ///   - items: The path of the rows in a response; without it, it is recognized.
  ///   - id: The path of the id in a row; without it, it is recognized.
  public init(_ name: String, _ call: Call, items: JSONPath? = nil, id: JSONPath? = nil) {
    (self.name, self.call, self.items, self.id) = (name, call, items, id)
  }

  /// What a list belongs to that is read for each row of another one.
  public struct Parent: Hashable, Sendable {
    /// The name of the other list.
    public let list: String
    /// The id of the row; `nil` for all rows, whose lists have one table.
    public let row: RowID?
  }

  /// What happens to rows that are proven gone.
  public enum Deletes: String, Hashable, Sendable, CaseIterable {
    /// They stay.
    case off
    /// They stay, with the time at which they were found gone.
    case soft
    /// They are deleted.
    case hard
  }
}
