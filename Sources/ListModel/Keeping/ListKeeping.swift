public import ServerAPI

/// Keeps a list in a store, so that it can be shown again when the program starts, without the
/// network: every page, in order, and the first visible row. See ``ListModel/restore()``.
///
/// ```swift
/// let books = ListModel<Book>(server, "/books", paging: .link) {
///   $0.keeping = ListKeeping(in: store)
/// }
/// await books.restore().outcome
/// books.refresh()
/// ```
///
/// The responses of the server are kept, not the items: they are read again, and the link to the next page is
/// worked out again. So a kept list is dropped where the type or the field table of the items, the paging or
/// ``version`` has changed. Edits are not kept.
///
/// A page that the server forbids to store (`Cache-Control: no-store`) is not kept, and the kept list
/// ends before it. It also ends before a page that ``Paging/automatic`` found by trial, and before an error
/// status that means the end, which is requested again.
///
/// Keep only one list at a time under one name. Where credentials, keys, cookies or interceptors may
/// identify the user, the server needs a ``Server/Configuration/cachePartition``: without it nothing is
/// kept, since the owner of the rows would be unknown.
public struct ListKeeping: Sendable {
  /// The store; usually that of the server's cache.
  public var store: any CacheStore
  /// The name of the kept list. Without it, the name is made from the request: the address with its
  /// parameters, the method, the headers, the body and the paging. Set one where ``ListModel/prepare(_:)``
  /// adds values that differ each time.
  public var name: String?
  /// A version to increase when a kept list must not be used any more.
  public var version: Int

  /// Keeps a list.
  public init(in store: any CacheStore, as name: String? = nil, version: Int = 0) {
    self.store = store
    self.name = name
    self.version = version
  }
}
