internal import ItemMapping
public import ServerAPI

extension Server {
  /// Returns the rows of an endpoint as items, for a loop over all of them. See ``ItemWalk`` for how it ends.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint of the list.
  ///   - identity: How rows are identified, so that a repeated one is left out.
  ///   - parallel: How many pages may be in flight at once, where their places can be worked out and the server says how
  ///     many there are. With two or more, the next page is requested while the program handles the one before.
  ///   - consistency: How many extra requests may be sent to find missing rows.
  ///   - acceptsUnreadableRows: Whether rows that can't be read are meant to be left out.
  ///   - checkpoint: Where an earlier walk over the same endpoint stopped.
  public func items<Item>(
    _ endpoint: Endpoint<Item>, identity: PageWalk.Identity = .recognized, parallel: Int = 1,
    consistency: Consistency.Level = .seams, acceptsUnreadableRows: Bool = false,
    from checkpoint: PageWalk.Checkpoint? = nil
  ) -> ItemWalk<Item> {
    ItemWalk(
      PageWalk(
        self, endpoint, identity: identity, parallel: parallel, consistency: consistency,
        from: checkpoint),
      reading: endpoint.reader, acceptsUnreadableRows: acceptsUnreadableRows)
  }
}

extension PageWalk {
  /// Creates a walk over the list of an endpoint, whose rows stay JSON.
  ///
  /// - Parameters:
  ///   - server: The server to call.
  ///   - endpoint: The endpoint of the list.
  ///   - identity: How rows are identified.
  ///   - parallel: How many pages may be in flight at once.
  ///   - consistency: How many extra requests may be sent to find missing rows.
  ///   - checkpoint: Where an earlier walk over the same endpoint stopped.
  public convenience init<Item>(
    _ server: Server, _ endpoint: Endpoint<Item>, identity: PageWalk.Identity = .recognized,
    parallel: Int = 1, consistency: Consistency.Level = .seams,
    from checkpoint: PageWalk.Checkpoint? = nil
  ) {
    self.init(
      server, endpoint.call, items: endpoint.reader.declaredPath, paging: endpoint.paging,
      identity: identity, parallel: parallel, consistency: consistency, from: checkpoint)
    failures = endpoint.failures
  }
}
