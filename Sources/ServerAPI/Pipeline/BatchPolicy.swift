/// When a batch of calls is over.
public enum BatchPolicy: Hashable, Sendable {
  /// Every call is made, whatever happens to the others.
  case collect
  /// All must succeed: the first failure ends the batch.
  case all
  /// One success is enough and ends the batch.
  case any
  /// That many successes are needed; the batch ends when they are there or out of reach.
  case quorum(Int)
}
