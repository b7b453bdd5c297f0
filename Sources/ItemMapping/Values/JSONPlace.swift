/// A place in the document that is being mapped. It is of use only while the value is read that it was
/// given for: in another document there is something else, or nothing, and to look there is a trap.
public struct JSONPlace: Sendable, Hashable {
  fileprivate let index: Int
  /// The ``JSONDocument/number`` of the document.
  let document: UInt64

  /// The place of an index on a document's tape.
  init(_ index: Int, in document: UInt64) {
    self.index = index
    self.document = document
  }

  /// The index on the tape of this document.
  @inline(__always)
  func index(in document: UInt64) -> Int {
    if document != self.document { Self.trap() }
    return index
  }

  @inline(never)
  private static func trap() -> Never {
    fatalError("a JSONPlace is of another document than the one being read")
  }
}

extension MappingRun {
  /// The index of a place on the tape.
  @inline(__always)
  func index(of place: JSONPlace) -> Int { place.index(in: number) }

  /// The place of an index on the tape.
  @inline(__always)
  func place(_ index: Int) -> JSONPlace { JSONPlace(index, in: number) }

  /// What is at a place.
  @inline(__always)
  func tag(_ place: JSONPlace) -> UInt8 { tape.tag(index(of: place)) }
}
