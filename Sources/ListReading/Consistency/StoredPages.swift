/// What can be claimed of pages that come from a cache: each was stored at a moment of its own, and no request can show
/// what changed in between.
extension ConsistencyRecord {
  /// What all claims of several pages rest on, and what pages of different moments refute.
  private static let ofMoments: [ListAssumption] = [.instants, .freshness, .version]

  /// Records that a page of several is a stored one, so that nothing is claimed of the list.
  mutating func noteStoredPage() {
    for assumption in Self.ofMoments { doubt(assumption) }
  }

  /// Whether a page is a stored one, so that another walk can't prove anything.
  var isOfStoredPages: Bool { broken.isSuperset(of: Self.ofMoments) }
}
