/// Where a ``BaseServerAPI`` stands.
public enum RequestState: Hashable, Sendable, CaseIterable {
  /// Never started.
  case idle
  /// Under way.
  case loading
  /// The last start brought an answer.
  case succeeded
  /// The last start ended with an error.
  case failed
  /// The last start was ended on purpose.
  case cancelled
}
