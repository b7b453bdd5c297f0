extension JSONView {
  /// How many members an object or elements an array has; 0 for a scalar.
  public var count: Int {
    read { tape in
      switch tape.tag(index) {
      case JSONTape.Tag.object, JSONTape.Tag.array: tape.count(of: index)
      default: 0
      }
    }
  }

  /// The elements of an array in order; none for any other value.
  public var elements: Elements { Elements(self) }

  /// The members of an object in the order of the text; none for any other value.
  public var members: Members { Members(self) }

  /// The member with this name, the first one where a name is repeated; `nil` where there is none
  /// or the value is no object.
  public subscript(name: String) -> JSONView? {
    let value = read { tape in
      tape.tag(index) == JSONTape.Tag.object ? tape.member(JSONKey(name), of: index) : nil
    }
    return value.map { JSONView(document: document, index: $0) }
  }

  /// The element at this position, from the end where it is negative; `nil` where there is none or
  /// the value is no array. Use ``elements`` to visit all: a position costs a walk.
  public subscript(position: Int) -> JSONView? {
    let value = read { tape in
      tape.tag(index) == JSONTape.Tag.array ? tape.element(position, of: index) : nil
    }
    return value.map { JSONView(document: document, index: $0) }
  }

  /// A name with its value.
  public struct Member: Sendable {
    let document: JSONDocument
    /// The place of the name on the tape.
    let index: Int

    /// The name, without quotes and escapes.
    public var name: String { withExtendedLifetime(document) { document.tape.string(index) } }

    /// The value.
    public var value: JSONView { JSONView(document: document, index: index + 1) }
  }

  /// The elements of an array.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private var walk: Walk

    init(_ view: JSONView) { walk = Walk(view, tag: JSONTape.Tag.array) }

    /// The next element, or `nil` behind the last.
    public mutating func next() -> JSONView? {
      walk.next(names: 0).map { JSONView(document: walk.document, index: $0) }
    }
  }

  /// The members of an object.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    private var walk: Walk

    init(_ view: JSONView) { walk = Walk(view, tag: JSONTape.Tag.object) }

    /// The next member, or `nil` behind the last.
    public mutating func next() -> Member? {
      walk.next(names: 1).map { Member(document: walk.document, index: $0) }
    }
  }

  /// Visits the children of a container; it ends at once in a value of another kind.
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

    /// The place of the next child, whose value comes behind so many names.
    @inline(__always)
    mutating func next(names: Int) -> Int? {
      guard upcoming < end else { return nil }
      let index = upcoming
      upcoming = withExtendedLifetime(document) { document.tape.after(index + names) }
      return index
    }
  }
}
