internal import Support

/// Reads the values of a type. Most types decode themselves, with a decoder that is lent to them.
///
/// This function and the type's own `init` take stack for each level of nesting, so it is kept small.
class TypeReader<T: Decodable>: DecodedType {
  func read(_ value: Int, at place: CodingPlace) throws -> T {
    let decoder = try lend(value, at: place)
    defer { takeBack(decoder) }
    return try T(from: decoder.takeUnretainedValue())
  }
}

/// A type of arrays or dictionaries.
private protocol ReadContainer {
  static var reader: DecodedType.Type { get }
}

/// The classes of readers by type. They are kept, because to find out what a type is made of takes longer than to decode a
/// small object.
enum TypeReaders {
  /// Guards the classes.
  private static let all = Lock<[ObjectIdentifier: DecodedType.Type]>([:])

  static func reader<T: Decodable>(of type: T.Type) -> DecodedType.Type {
    let identifier = ObjectIdentifier(type)
    if let known = all.withLock({ $0[identifier] }) { return known }
    let reader = own(type) ?? TypeReader<T>.self
    all.withLock { $0[identifier] = reader }
    return reader
  }

  private static func own(_ type: any Decodable.Type) -> DecodedType.Type? {
    if let scalar = type as? any TapeScalar.Type { return scalar.reader }
    if let leaf = type as? any TapeLeaf.Type { return leaf.reader }
    return (type as? any ReadContainer.Type)?.reader
  }
}

private final class ScalarReader<T: TapeScalar>: TypeReader<T> {
  override func read(_ value: Int, at place: CodingPlace) throws -> T {
    try decoding._withUnsafeGuaranteedRef { try $0.scalar(T.self, at: value) { place.path } }
  }
}

private final class LeafReader<T: TapeLeaf>: TypeReader<T> {
  override func read(_ value: Int, at place: CodingPlace) throws -> T {
    try T.read(at: value, place, decoding.takeUnretainedValue())
  }
}

extension TapeLeaf {
  fileprivate static var reader: DecodedType.Type { LeafReader<Self>.self }
}

private final class ScalarsReader<Element: TapeScalar>: TypeReader<[Element]> {
  override func read(_ value: Int, at place: CodingPlace) throws -> [Element] {
    try decoding._withUnsafeGuaranteedRef { try Element.list(at: value, place, $0) }
  }
}

private final class ListReader<Element: Decodable>: TypeReader<[Element]> {
  override func read(_ array: Int, at place: CodingPlace) throws -> [Element] {
    let list = try lend(array, at: place)
    defer { takeBack(list) }
    return try list._withUnsafeGuaranteedRef { try elements(of: $0) }
  }

  private func elements(of list: TapeDecoder) throws -> [Element] {
    let tape = list.tape
    guard tape.tag(list.value) == JSONTape.Tag.array else {
      throw list.decoding.refusal([Any].self, at: list.value, wanting: .array, list.codingPath)
    }
    let count = tape.countHint(of: list.value)
    if count == 0 { return [] }
    var value = tape.first(in: list.value)
    let end = tape.end(of: list.value)
    let reader = list.reader(of: Element.self)
    // A server may announce more elements than it sends good ones.
    let capacity = min(count, Self.mostReserved)
    var elements = try [Element](unsafeUninitializedCapacity: capacity) { memory, count in
      while value < end, count < capacity {
        let place = CodingPlace(element: count, of: list)
        memory.initializeElement(
          at: count, to: try reader._withUnsafeGuaranteedRef { try $0.read(value, at: place) })
        count &+= 1
        value = tape.after(value)
      }
    }
    while value < end {
      let place = CodingPlace(element: elements.count, of: list)
      elements.append(try reader._withUnsafeGuaranteedRef { try $0.read(value, at: place) })
      value = tape.after(value)
    }
    return elements
  }

  private static var mostReserved: Int { 4_096 }
}

extension Array: ReadContainer where Element: Decodable {
  fileprivate static var reader: DecodedType.Type {
    (Element.self as? any TapeScalar.Type)?.listReader ?? ListReader<Element>.self
  }
}

extension TapeScalar {
  fileprivate static var reader: DecodedType.Type { ScalarReader<Self>.self }
  fileprivate static var listReader: DecodedType.Type { ScalarsReader<Self>.self }
  fileprivate static var dictionaryReader: DecodedType.Type { ScalarDictionaryReader<Self>.self }
}

private final class ScalarDictionaryReader<Value: TapeScalar>: TypeReader<[String: Value]> {
  override func read(_ value: Int, at place: CodingPlace) throws -> [String: Value] {
    try Value.dictionary(at: value, place, decoding.takeUnretainedValue())
  }
}

/// Reads dictionaries, whose keys no key strategy converts.
private final class DictionaryReader<Value: Decodable>: TypeReader<[String: Value]> {
  override func read(_ object: Int, at place: CodingPlace) throws -> [String: Value] {
    let loan = try lend(object, at: place)
    defer { takeBack(loan) }
    let decoder = loan.takeUnretainedValue()
    let tape = decoder.tape
    guard tape.tag(object) == JSONTape.Tag.object else {
      throw decoder.decoding.refusal([String: Any].self, at: object, wanting: .object, decoder.codingPath)
    }
    let hasDefaultKeys = decoder.decoding.hasDefaultKeys
    var result: [String: Value] = [:]
    var name = tape.first(in: object)
    let end = tape.end(of: object)
    while name < end {
      var key = TapeKey(dictionaryKey: tape.string(name), isPlain: !hasDefaultKeys)
      // The first member with a name wins. With a key strategy, Foundation decodes repeated members too.
      let isRepeated = result[key.stringValue] != nil
      if !isRepeated || !hasDefaultKeys {
        let value = try decoder.decode(Value.self, at: name + 1, for: &key)
        if !isRepeated { result[key.stringValue] = value }
      }
      name = tape.after(name + 1)
    }
    return result
  }
}

extension Dictionary: ReadContainer where Key == String, Value: Decodable {
  fileprivate static var reader: DecodedType.Type {
    (Value.self as? any TapeScalar.Type)?.dictionaryReader ?? DictionaryReader<Value>.self
  }
}
