package import ListReading

/// Reads the rows that a list follows, such as those of a table.
@MainActor package protocol RowFeed: AnyObject {
  /// Somebody observes the list.
  func listIsObserved()
  /// The rows of the list are removed; all have to be read again.
  func listWasReset()
  /// Waits until the list has what was there before the call.
  func check() async
}

extension LocalList {
  /// Creates a list of rows that a feed reads. It counts as not loaded until they come.
  package convenience init(identity: ItemIdentity<Item>, feed makeFeed: (LocalList<Item>) -> any RowFeed) {
    self.init(identity: identity)
    let feed = makeFeed(self)
    self.feed = feed
    board.onFollow = { [weak feed] in feed?.listIsObserved() }
  }

  /// Whether an object is notified of each step.
  package var isObserved: Bool { board.hasFollowers }

  /// Whether the rows are those of the last step of the feed, and not changed by the program.
  package var isAsFollowed: Bool { followed.isSame(as: store.snapshot) }

  /// Changes rows as the table has changed.
  package func follow(_ step: FollowedRows<Item>) {
    change { store.follow(step) }
    followed = store.snapshot
  }
}
