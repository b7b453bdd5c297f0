public import ItemMapping
public import ServerAPI

extension PageWalk {
  /// Creates a walk over a list.
  ///
  /// - Parameters:
  ///   - server: The server to call.
  ///   - address: The address of the list, relative to the base of the server or absolute.
  ///   - method: The method of every request.
  ///   - params: The query parameters of every request.
  ///   - items: The path of the rows in a response; without it the walk searches for them.
  ///   - paging: How pages are requested, and how the end is detected.
  ///   - identity: How rows are told apart.
  ///   - merging: Where a response says that its rows are complete, if they come in parts over several responses. Parts
  ///     with the same id become one row, so rows need ids. Pages don't overlap then.
  ///   - allowsOtherOrigins: Whether links and redirects may leave the list's home; see
  ///     ``ListSettings/allowsOtherOrigins``.
  ///   - parallel: How many pages may be in flight at once, where their places can be worked out and the server says how
  ///     many there are. With two or more, the next page is requested while the program handles the one before.
  ///   - consistency: How many extra requests may be sent to find missing rows.
  ///   - version: Where each response has the version of the whole list, such as a revision, a snapshot token or the header
  ///     of one. If it is the same in all of them, the rows are those of one instant.
  ///   - checkpoint: Where an earlier walk with the same arguments stopped; without it the walk starts at
  ///     the first page.
  ///   - knownIDs: The ids of the rows that earlier walks delivered.
  public convenience init(
    _ server: Server, _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    items: JSONPath? = nil, paging: Paging = .automatic, identity: PageWalk.Identity = .recognized,
    merging: JSONPath? = nil, allowsOtherOrigins: Bool = false, parallel: Int = 1,
    consistency: Consistency.Level = .seams, version: ResponseLocation? = nil,
    from checkpoint: PageWalk.Checkpoint? = nil, knownIDs: some Sequence<RowID> = []
  ) {
    self.init(
      server, Call(address, method: method, params: params), items: items, paging: paging,
      identity: identity, merging: merging, allowsOtherOrigins: allowsOtherOrigins,
      parallel: parallel, consistency: consistency, version: version, from: checkpoint,
      knownIDs: knownIDs)
  }

  /// Creates a walk over a list whose requests have headers or a body of their own.
  ///
  /// - Parameters:
  ///   - server: The server to call.
  ///   - call: The call for every page: address, parameters, method, headers, body.
  ///   - items: The path of the rows in a response; without it the walk searches for them.
  ///   - paging: How pages are requested, and how the end is detected.
  ///   - identity: How rows are told apart.
  ///   - merging: Where a response says that its rows are complete, if they come in parts over several responses. Parts
  ///     with the same id become one row, so rows need ids. Pages don't overlap then.
  ///   - allowsOtherOrigins: Whether links and redirects may leave the list's home; see
  ///     ``ListSettings/allowsOtherOrigins``.
  ///   - parallel: How many pages may be in flight at once, where their places can be worked out and the server says how
  ///     many there are. With two or more, the next page is requested while the program handles the one before.
  ///   - consistency: How many extra requests may be sent to find missing rows.
  ///   - version: Where each response has the version of the whole list, such as a revision, a snapshot token or the header
  ///     of one. If it is the same in all of them, the rows are those of one instant.
  ///   - checkpoint: Where an earlier walk with the same arguments stopped; without it the walk starts at
  ///     the first page.
  ///   - ids: The ids of the rows that earlier walks delivered.
  public convenience init(
    _ server: Server, _ call: Call, items: JSONPath? = nil, paging: Paging = .automatic,
    identity: PageWalk.Identity = .recognized, merging: JSONPath? = nil,
    allowsOtherOrigins: Bool = false, parallel: Int = 1,
    consistency: Consistency.Level = .seams, version: ResponseLocation? = nil,
    from checkpoint: PageWalk.Checkpoint? = nil, knownIDs ids: some Sequence<RowID> = []
  ) {
    precondition(
      merging == nil || consistency <= .seams && identity != .none,
      "rows in parts can be merged only by their ids, and nothing more can be claimed of them")
    var loader = PageLoader(
      server: server, reader: .items(at: items), identity: .none, filter: nil,
      envelope: ListPage<JSONView>.self, keeps: false, allowsOtherOrigins: allowsOtherOrigins)
    loader.version = version
    loader.batchFlag = merging
    loader.mends = true
    self.init(
      loader, call, paging, identity, merging: merging, parallel: parallel, consistency, from: checkpoint,
      knownIDs: ids)
  }
}
