/// What keeps the steps of a ``SyncWalk`` and what they report, together.
package protocol RoundStore: AnyObject {
  /// Returns the state that was stored, which the store does not keep.
  func takeState() -> SyncState

  /// Stores what a step reports, with its record.
  func store(_ step: inout SyncWalk.Step) async throws

  /// Replaces the records by fewer ones if most of them are no longer used. Called between rounds.
  func shorten(_ walk: SyncWalk) async throws

  /// Called after the last round.
  func end() async throws
}

extension RoundStore {
  package func end() {}
}
