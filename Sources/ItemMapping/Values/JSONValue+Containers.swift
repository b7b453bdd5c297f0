extension Optional: JSONValue where Wrapped: JSONValue {
  /// `nil` for `null`, else the wrapped value.
  @inline(__always)
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Wrapped?? {
    // Inlined into the witness, which is given the metadata of the optional instead of looking it up.
    if run.tape.tag(place.index(in: run.number)) == JSONTape.Tag.null { return .some(nil) }
    if let value = Wrapped.read(place, in: &run) { return .some(value) }
    return run.forgivesEmptiness(place) ? .some(nil) : nil
  }

  /// `nil` for `null`, else the wrapped value's update.
  public static func updated(
    _ value: Wrapped?, from place: MappingRun.Place, in run: inout MappingRun
  ) -> Wrapped?? {
    guard let value, run.tag(place) != JSONTape.Tag.null else {
      return read(place, in: &run)
    }
    if let value = Wrapped.updated(value, from: place, in: &run) { return .some(value) }
    return run.forgivesEmptiness(place) ? .some(nil) : nil
  }

  /// The wrapped value; `nil` leaves the member out.
  public func write(as style: JSONAny.Style) -> JSONAny? { self?.write(as: style) }

  /// An optional around a copy.
  public func copied() -> Wrapped? { map { $0.copied() } }

  /// Whether both are `nil`, or the wrapped values mean the same.
  public func isSame(as other: Wrapped?) -> Bool {
    switch (self, other) {
    case (let value?, let other?): value.isSame(as: other)
    case (nil, nil): true
    default: false
    }
  }

  /// The wrapped type's shape, with `null`.
  public static var shape: ValueShape { .optional(Wrapped.self) }
}

extension Array: JSONValue where Element: JSONValue {
  /// The elements that can be read; what becomes of others is the field's choice.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> [Element]? {
    guard var walk = run.elements(at: place, of: Self.self) else { return nil }
    if case .items(let type) = Self.shape.kind {
      return run.items(type, in: walk).map { $0.ofClass(Element.self) }
    }
    var result: [Element] = []
    result.reserveCapacity(run.tape.countHint(of: place.index(in: run.number)))
    while let value = walk.next(run.tape) {
      let element = MappingRun.Place(value, in: run.number)
      if let value = Element.read(element, in: &run) {
        result.append(value)
      } else if !run.survives(element) {
        return nil
      }
    }
    return result
  }

  /// An array; elements that would be left out are `null`.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    .array(map { $0.write(as: style) ?? .null })
  }

  /// An array of copies.
  public func copied() -> [Element] { map { $0.copied() } }

  /// Whether the elements mean the same, in order.
  public func isSame(as other: [Element]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
  }

  /// Arrays of strings and of items are known.
  public static var shape: ValueShape {
    if Element.self == String.self { return ValueShape(.strings, of: Self.self) }
    let element = ValueShape.proven(of: Element.self)
    if case .item(let type) = element.kind, !element.takesNull {
      return ValueShape(.items(type), of: Self.self)
    }
    return .other
  }
}

extension [BaseItem] {
  /// The same array by the name of its elements' class. A reference takes the same memory whatever
  /// the class, and so does an array of them; whoever calls has made all elements of that class.
  func ofClass<Item>(_ type: Item.Type) -> [Item] { unsafeBitCast(self, to: [Item].self) }
}

extension Set: JSONValue where Element: JSONValue {
  /// The different elements that can be read.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Set<Element>? {
    [Element].read(place, in: &run).map(Set.init)
  }

  /// An array, in an order that is the same for equal sets.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    .array(map { $0.write(as: style) ?? .null }.sorted { $0.text() < $1.text() })
  }

  /// A set of copies.
  public func copied() -> Set<Element> { Set(map { $0.copied() }) }
}

extension Dictionary: JSONValue where Key == String, Value: JSONValue {
  /// The members that can be read, of a repeated name the first.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> [String: Value]? {
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
      let member = MappingRun.Place(name + 1, in: run.number)
      if result[key] == nil, !dropped.contains(key) {
        if let value = Value.read(member, in: &run) {
          result[key] = value
        } else if run.survives(member) {
          dropped.insert(key)
        } else {
          return nil
        }
      }
      name = tape.after(name + 1)
    }
    return result
  }

  /// An object with its names in order.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    .object(
      JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.write(as: style) ?? .null) }))
  }

  /// Whether the same names have values that mean the same.
  public func isSame(as other: [String: Value]) -> Bool {
    count == other.count
      && allSatisfy { name, value in other[name].map { value.isSame(as: $0) } ?? false }
  }

  /// A dictionary of copies.
  public func copied() -> [String: Value] { mapValues { $0.copied() } }
}
