/// A failure of a store. Calls continue without the store, except after ``Kind/insecure``.
public struct CacheProblem: Error, Hashable, Sendable {
  /// The kind of a problem.
  public enum Kind: Hashable, Sendable {
    /// Another user could have changed the folder or a file in it. The store reads and writes nothing, and
    /// calls fail before anything is sent.
    case insecure
    /// The folder or the file can't be used; nothing is stored.
    case unusable
    /// The database could not be read; the store replaced it with an empty one.
    case recreated
    /// An entry was damaged; the store dropped it.
    case brokenEntry
    /// No space is left; new entries are not stored.
    case full
    /// The store can't write; existing entries can be read.
    case readOnly
    /// The store was locked or overloaded for too long; an entry was not stored.
    case busy
    /// Another failure; see the text.
    case failed
  }

  /// The kind of the problem.
  public var kind: Kind
  /// The path, and the message of the system or the database.
  public var text: String

  /// Creates a problem.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
