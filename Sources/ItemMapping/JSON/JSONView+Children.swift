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
    private let document: JSONDocument
    private var upcoming: Int
    private let end: Int

    init(_ view: JSONView) {
      document = view.document
      (upcoming, end) = view.read { $0.span(of: view.index, tag: JSONTape.Tag.array) }
    }

    /// The next element, or `nil` behind the last.
    public mutating func next() -> JSONView? {
      guard upcoming < end else { return nil }
      let index = upcoming
      upcoming = withExtendedLifetime(document) { document.tape.after(index) }
      return JSONView(document: document, index: index)
    }
  }

  /// The members of an object.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var upcoming: Int
    private let end: Int

    init(_ view: JSONView) {
      document = view.document
      (upcoming, end) = view.read { $0.span(of: view.index, tag: JSONTape.Tag.object) }
    }

    /// The next member, or `nil` behind the last.
    public mutating func next() -> Member? {
      guard upcoming < end else { return nil }
      let index = upcoming
      upcoming = withExtendedLifetime(document) { document.tape.after(index + 1) }
      return Member(document: document, index: index)
    }
  }
}

extension JSONTape {
  /// Where a walk over a container begins and ends; it ends at once in a value of another kind.
  fileprivate func span(of container: Int, tag wanted: UInt8) -> (Int, Int) {
    tag(container) == wanted ? (first(in: container), end(of: container)) : (0, 0)
  }
}
