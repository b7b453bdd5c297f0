extension Optional: JSONValue, BuiltInValue, BuiltInContainer where Wrapped: JSONValue {
  /// Reads `nil` from `null`, and otherwise the wrapped value.
  @inline(__always)
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Wrapped?? {
    // Inlined into the witness, which receives the optional's metadata instead of looking it up.
    if run.tape.tag(place.index(in: run.number)) == JSONTape.Tag.null { return .some(nil) }
    if let value = Wrapped.read(place, in: &run) { return .some(value) }
    return run.forgivesEmptiness(place) ? .some(nil) : nil
  }

  /// Returns `nil` for `null`, and otherwise the updated wrapped value.
  static func value(
    _ value: Wrapped?, updatedFrom place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Wrapped?? {
    guard let value, run.tag(place) != JSONTape.Tag.null else {
      return read(place, in: &run)
    }
    if let value = Wrapped.updated(value, from: place, in: &run) { return .some(value) }
    return run.forgivesEmptiness(place) ? .some(nil) : nil
  }

  /// Returns the wrapped value as JSON; `nil` omits the member.
  func json(as style: JSONAny.Style) -> JSONAny? { self?.write(as: style) }

  /// Returns an optional with a copy.
  func copy() -> Wrapped? { map { $0.copied() } }

  /// Returns whether both are `nil` or have equivalent values.
  func equals(_ other: Wrapped?) -> Bool {
    switch (self, other) {
    case (let value?, let other?): value.isSame(as: other)
    case (nil, nil): true
    default: false
    }
  }
}

extension Optional: NullConvertible where Wrapped: JSONValue {}

extension Optional: StoredRead where Wrapped: JSONValue {
  @inline(__always)
  static func storeWrapped(
    _ place: ItemMapper.Run.Place, into memory: UnsafeMutableRawPointer,
    in run: inout ItemMapper.Run
  ) -> Bool {
    guard case let value? = Wrapped.read(place, in: &run) else { return false }
    memory.assumingMemoryBound(to: Wrapped.self).pointee = consume value
    return true
  }

  @inline(__always)
  static func store(
    _ place: ItemMapper.Run.Place, into memory: UnsafeMutableRawPointer,
    in run: inout ItemMapper.Run
  ) -> Bool {
    if run.tag(place) == JSONTape.Tag.null {
      memory.assumingMemoryBound(to: Self.self).pointee = nil
      return true
    }
    let value = Wrapped.read(place, in: &run)
    if value == nil, !run.forgivesEmptiness(place) { return false }
    memory.assumingMemoryBound(to: Self.self).pointee = consume value
    return true
  }
}

extension Array: JSONValue, BuiltInValue, BuiltInContainer where Element: JSONValue {
  /// Reads the elements. The field decides what happens to those that can't be read.
  @inline(__always)
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> [Element]? {
    // Inlined into the witness, as for an optional.
    guard var walk = run.elements(at: place, of: Self.self) else { return nil }
    if let type = (Element.self as Any.Type) as? BaseItem.Type {
      return run.items(type, in: walk).map { $0.ofClass(Element.self) }
    }
    var isComplete = true
    let elements = [Element](unsafeUninitializedCapacity: walk.count(run.tape)) { buffer, count in
      while let value = walk.next(run.tape) {
        let element = ItemMapper.Run.Place(value, in: run.number)
        if let value = Element.read(element, in: &run) {
          buffer.initializeElement(at: count, to: consume value)
          count += 1
        } else if !run.dropUnreadable(element) {
          isComplete = false
          break
        }
      }
    }
    return isComplete ? elements : nil
  }

  /// Returns an array, in which elements that would be omitted are `null`.
  func json(as style: JSONAny.Style) -> JSONAny? {
    .array(map { $0.write(as: style) ?? .null })
  }

  /// Returns an array of copies.
  func copy() -> [Element] { map { $0.copied() } }

  /// Returns whether the elements are equivalent, in order.
  func equals(_ other: [Element]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
  }
}

extension [BaseItem] {
  /// Returns the same array with its elements' own class as the type. A reference has the same size
  /// whatever its class, and so does an array of them. The caller has made all elements with that
  /// class.
  func ofClass<Item>(_ type: Item.Type) -> [Item] { unsafeBitCast(self, to: [Item].self) }
}

extension Set: JSONValue, BuiltInValue where Element: JSONValue {
  /// Reads the elements as a set. The field decides what happens to those that can't be read.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Set<
    Element
  >? {
    [Element].read(place, in: &run).map(Set.init)
  }

  /// Returns an array, in an order that is the same for equal sets.
  func json(as style: JSONAny.Style) -> JSONAny? {
    .array(map { $0.write(as: style) ?? .null }.sorted { $0.text() < $1.text() })
  }

  /// Returns a set of copies.
  public func copied() -> Set<Element> { Set(map { $0.copied() }) }
}

extension Dictionary: JSONValue, BuiltInValue, BuiltInContainer where Key == String, Value: JSONValue {
  /// Reads the members that can be read. The first member with a name wins.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> [String:
    Value]?
  {
    guard run.isObject(place, for: Self.self) else { return nil }
    let tape = run.tape
    let object = place.index(in: run.number)
    var result: [String: Value] = [:]
    result.reserveCapacity(tape.countHint(of: object))
    let end = tape.end(of: object)
    var name = tape.first(in: object)
    var dropped: Set<String> = []
    while name < end {
      let key = tape.string(name)
      let member = ItemMapper.Run.Place(name + 1, in: run.number)
      if result[key] == nil, !dropped.contains(key) {
        if let value = Value.read(member, in: &run) {
          result[key] = value
        } else if run.dropUnreadable(member) {
          dropped.insert(key)
        } else {
          return nil
        }
      }
      name = tape.after(name + 1)
    }
    return result
  }

  /// Returns an object with its names sorted.
  func json(as style: JSONAny.Style) -> JSONAny? {
    .object(
      JSONAny.Object(
        sorted { $0.key < $1.key }.map { ($0.key, $0.value.write(as: style) ?? .null) }))
  }

  /// Returns whether the same names have equivalent values.
  func equals(_ other: [String: Value]) -> Bool {
    count == other.count
      && allSatisfy { name, value in other[name].map { value.isSame(as: $0) } ?? false }
  }

  /// Returns a dictionary of copies.
  func copy() -> [String: Value] { mapValues { $0.copied() } }
}

extension JSONAny: JSONValue, BuiltInValue, NullConvertible {
  /// Reads any value.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> JSONAny? {
    JSONAny(run.view(place))
  }

  /// Returns the value itself.
  func json(as style: JSONAny.Style) -> JSONAny? { self }
}

extension JSONAny.Object: JSONValue, BuiltInValue {
  /// Reads any object.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> JSONAny
    .Object?
  {
    run.isObject(place, for: Self.self) ? JSONAny(run.view(place)).object : nil
  }

  /// Returns the object itself.
  func json(as style: JSONAny.Style) -> JSONAny? { .object(self) }
}

extension JSONView: JSONValue, BuiltInValue, NullConvertible {
  /// Reads any value in place.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> JSONView? {
    run.view(place)
  }

  /// Returns a copy of the value.
  func json(as style: JSONAny.Style) -> JSONAny? { JSONAny(self, keepingDigits: true) }
}

extension JSONView {
  /// Returns the value at a path, by the rules for properties: equivalent values are converted, and
  /// the result is `nil` if the value is missing, `null`, or can't be read.
  ///
  /// - Parameters:
  ///   - type: The type to read, such as `Bool.self`.
  ///   - path: The path, relative to this value.
  public func value<Value: JSONValue>(
    _ type: Value.Type = Value.self, at path: JSONPath = .root
  ) -> Value? {
    read { tape in
      guard let place = tape.find(path.steps, from: index),
        tape.tag(place) != JSONTape.Tag.null || Value.acceptsNull
      else { return nil }
      var run = ItemMapper.Run(document, ItemMapper())
      return Value.read(run.place(place), in: &run)
    }
  }

  /// Returns the value at a path, or a default if it is missing, `null`, or can't be read.
  package func value<Value: JSONValue>(
    at path: JSONPath, default other: @autoclosure () -> Value
  ) -> Value {
    value(Value.self, at: path) ?? other()
  }
}

extension JSONDocument {
  /// Creates a document with this value.
  package convenience init(_ value: JSONAny) throws(JSONError) { try self.init(value.utf8()) }
}
