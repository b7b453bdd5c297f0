extension JSONView {
  /// The number of members of an object or elements of an array; 0 for a scalar.
  public var count: Int {
    read { tape in
      switch tape.tag(index) {
      case JSONTape.Tag.object, JSONTape.Tag.array: tape.count(of: index)
      default: 0
      }
    }
  }

  /// The elements of an array in order; empty for any other value.
  public var elements: Elements { Elements(self) }

  /// The members of an object in the order of the text; empty for any other value.
  public var members: Members { Members(self) }

  /// The first member with this name, or `nil` if it is missing or the value is not an object.
  public subscript(name: String) -> JSONView? {
    let value = read { tape in
      tape.tag(index) == JSONTape.Tag.object ? tape.member(JSONKey(name), of: index) : nil
    }
    return value.map { JSONView(document: document, index: $0) }
  }

  /// The element at this position, or `nil` if it is missing or the value is not an array. A
  /// negative position counts from the end. Access by position walks the array, so use ``elements``
  /// to visit all.
  public subscript(position: Int) -> JSONView? {
    let value = read { tape in
      tape.tag(index) == JSONTape.Tag.array ? tape.element(position, of: index) : nil
    }
    return value.map { JSONView(document: document, index: $0) }
  }

  /// Calls a closure with each member's name in UTF-8 and its value, until it returns `false`. Makes no object, and lends
  /// one view for all values.
  package func forEachMember(_ body: (UnsafeBufferPointer<UInt8>, JSONView) -> Bool) {
    let tape = document.tape
    guard tape.tag(index) == JSONTape.Tag.object else { return }
    var place = tape.first(in: index)
    let end = tape.end(of: index)
    while place < end {
      guard body(tape.utf8(place), JSONView(document: document, index: place + 1)) else { return }
      place = tape.after(place + 1)
    }
  }

  /// A name and its value.
  public struct Member: Sendable {
    let document: JSONDocument
    /// The index of the name on the tape.
    let index: Int

    /// The name, without quotes and escapes.
    public var name: String { withExtendedLifetime(document) { document.tape.string(index) } }

    /// The member's value.
    public var value: JSONView { JSONView(document: document, index: index + 1) }
  }

  /// The elements of an array.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private var walk: Walk

    init(_ view: JSONView) { walk = Walk(view, tag: JSONTape.Tag.array) }

    /// Returns the next element, or `nil` after the last.
    public mutating func next() -> JSONView? {
      walk.next(names: 0).map { JSONView(document: walk.document, index: $0) }
    }
  }

  /// The members of an object.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    private var walk: Walk

    init(_ view: JSONView) { walk = Walk(view, tag: JSONTape.Tag.object) }

    /// Returns the next member, or `nil` after the last.
    public mutating func next() -> Member? {
      walk.next(names: 1).map { Member(document: walk.document, index: $0) }
    }
  }

  /// A walk over the children of a container; empty for a value of another kind.
  fileprivate struct Walk {
    let document: JSONDocument
    private var upcoming: Int
    private let end: Int

    @inline(__always)
    init(_ view: JSONView, tag: UInt8) {
      document = view.document
      (upcoming, end) = view.read { tape in
        tape.tag(view.index) == tag
          ? (tape.first(in: view.index), tape.end(of: view.index)) : (0, 0)
      }
    }

    /// Returns the index of the next child, whose value follows the given number of names.
    @inline(__always)
    mutating func next(names: Int) -> Int? {
      guard upcoming < end else { return nil }
      let index = upcoming
      upcoming = withExtendedLifetime(document) { document.tape.after(index + names) }
      return index
    }
  }
}
