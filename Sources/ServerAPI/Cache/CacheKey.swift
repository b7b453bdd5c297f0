/// Where something stands in a cache: what it is, whose it is, and what it answers.
public struct CacheKey: Hashable, Sendable {
  /// What kind of thing it is, so that two kinds never meet.
  public enum Space: String, Hashable, Sendable, CaseIterable {
    /// What a server answered.
    case responses
    /// Bytes that a program keeps beside them, such as what it has shown.
    case bytes
  }

  /// What kind of thing it is.
  public var space: Space
  /// Whose it is: a name the program gave, or a digest of credentials. Never a secret itself.
  public var partition: String
  /// What it answers: the whole address. It may have secrets in it; a store that outlives the process
  /// keeps a digest in its place.
  public var text: String

  /// Makes a key.
  public init(_ space: Space, partition: String = "", _ text: String) {
    self.space = space
    self.partition = partition
    self.text = text
  }

  /// Equal when both texts have the same bytes: what Unicode takes for equal may be two users.
  public static func == (a: CacheKey, b: CacheKey) -> Bool {
    a.space == b.space && a.text.hasSameBytes(as: b.text)
      && a.partition.hasSameBytes(as: b.partition)
  }
}
