extension JSONView {
  /// How many members an object or elements an array has; 0 for a scalar.
  public var count: Int {
    switch tape.tag(index) {
    case JSONTape.Tag.object, JSONTape.Tag.array: tape.count(of: index)
    default: 0
    }
  }

  /// The elements of an array in order; none for any other value.
  public var elements: Elements { Elements(self) }

  /// The members of an object in the order of the text; none for any other value.
  public var members: Members { Members(self) }

  /// The member with this name, the first one where a name is repeated; `nil` where there is none
  /// or the value is no object.
  public subscript(name: String) -> JSONView? {
    guard tape.tag(index) == JSONTape.Tag.object else { return nil }
    return tape.member(JSONKey(name), of: index).map { JSONView(document: document, index: $0) }
  }

  /// The element at this position, from the end where it is negative; `nil` where there is none or
  /// the value is no array. Use ``elements`` to visit all: a position costs a walk.
  public subscript(position: Int) -> JSONView? {
    guard tape.tag(index) == JSONTape.Tag.array else { return nil }
    return tape.element(position, of: index).map { JSONView(document: document, index: $0) }
  }

  /// A name with its value.
  public struct Member: Sendable {
    let document: JSONDocument
    /// The place of the name on the tape.
    let index: Int

    /// The name, without quotes and escapes.
    public var name: String { document.tape.string(index) }

    /// The value.
    public var value: JSONView { JSONView(document: document, index: index + 1) }
  }

  /// The elements of an array.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var upcoming: Int
    private let end: Int

    init(_ view: JSONView) {
      let isArray = view.tape.tag(view.index) == JSONTape.Tag.array
      document = view.document
      upcoming = view.tape.first(in: view.index)
      end = isArray ? view.tape.end(of: view.index) : 0
    }

    public mutating func next() -> JSONView? {
      guard upcoming < end else { return nil }
      let index = upcoming
      upcoming = document.tape.after(index)
      return JSONView(document: document, index: index)
    }
  }

  /// The members of an object.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var upcoming: Int
    private let end: Int

    init(_ view: JSONView) {
      let isObject = view.tape.tag(view.index) == JSONTape.Tag.object
      document = view.document
      upcoming = view.tape.first(in: view.index)
      end = isObject ? view.tape.end(of: view.index) : 0
    }

    public mutating func next() -> Member? {
      guard upcoming < end else { return nil }
      let index = upcoming
      upcoming = document.tape.after(index + 1)
      return Member(document: document, index: index)
    }
  }
}
