/// What went wrong in a store. Calls go on without it, except where it is ``Kind/insecure``.
public struct CacheProblem: Error, Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// Another user could have changed the folder or a file in it. Nothing is read or written there,
    /// and calls fail before anything is sent.
    case insecure
    /// The folder or the file can't be used at all; nothing is kept.
    case unusable
    /// What was there could not be read, and the store began anew without it.
    case recreated
    /// One entry was not whole; it was dropped.
    case brokenEntry
    /// There is no room; new entries are not kept.
    case full
    /// Nothing may be written; what is there can be read.
    case readOnly
    /// Others kept it busy for too long; something was not kept.
    case busy
    /// Something else, as the text says.
    case failed
  }

  /// What happened.
  public var kind: Kind
  /// Where, and what the system or the database said.
  public var text: String

  /// Makes a problem.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
