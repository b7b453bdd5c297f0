#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TapeDecoding {
  /// Decodes a value of any type.
  ///
  /// This function and the type's own `init` take stack for each level of nesting, so it is kept
  /// small.
  func decode<T: Decodable>(
    _ type: T.Type, at value: Int, place: () -> CodingPlace, key: () -> (any CodingKey)?
  ) throws -> T {
    let known = known(type)
    if known.takeUnretainedValue().isLeaf {
      return try decodeLeaf(type, at: value, place, key)
    }
    let decoder = try lend(known, for: value, at: place(), key: key())
    defer { takeBack(decoder, known) }
    if !hasDefaultKeys, Self.keepsNames(type) {
      return try decodeKeepingNames(type, decoder.takeUnretainedValue())
    }
    return try type.init(from: decoder.takeUnretainedValue())
  }

  /// Returns whether ``decodeLeaf(_:at:_:_:)`` supports the type.
  static func isLeaf(_ type: any Any.Type) -> Bool {
    type == String.self || type == Int.self || type == Double.self || type == Bool.self
      || type == [String].self || type == [Int].self || type == [Double].self
      || type == [String: String].self || type == [String: Int].self || type == Date.self
      || type == Data.self || type == URL.self || type == Decimal.self
  }

  /// Decodes the types that don't decode themselves.
  @inline(never)
  private func decodeLeaf<T: Decodable>(
    _ type: T.Type, at value: Int, _ outer: () -> CodingPlace, _ key: () -> (any CodingKey)?
  ) throws -> T {
    func place() -> CodingPlace { key().map(outer().adding) ?? outer() }
    if type == String.self {
      return Self.same(try checked(String.self, string(at: value), wanting: .string, at: value, place), as: type)
    }
    if type == Int.self {
      let integer = integer(Int.self, at: value)
      return Self.same(try checked(Int.self, integer, wanting: .number, at: value, place), as: type)
    }
    if type == Double.self {
      return Self.same(try checked(Double.self, double(at: value), wanting: .number, at: value, place), as: type)
    }
    if type == Bool.self {
      return Self.same(try checked(Bool.self, bool(at: value), wanting: .bool, at: value, place), as: type)
    }
    if type == [String].self {
      let strings = try list(String.self, of: .string, at: value, place) { string(at: $0) }
      return Self.same(strings, as: type)
    }
    if type == [Int].self {
      let integers = try list(Int.self, of: .number, at: value, place) { integer(Int.self, at: $0) }
      return Self.same(integers, as: type)
    }
    if type == [Double].self {
      let doubles = try list(Double.self, of: .number, at: value, place) { double(at: $0) }
      return Self.same(doubles, as: type)
    }
    if type == [String: String].self {
      let strings = try dictionary(String.self, of: .string, at: value, place) { string(at: $0) }
      return Self.same(strings, as: type)
    }
    if type == [String: Int].self {
      let integers = try dictionary(Int.self, of: .number, at: value, place) {
        integer(Int.self, at: $0)
      }
      return Self.same(integers, as: type)
    }
    if type == Date.self { return Self.same(try date(at: value, place), as: type) }
    if type == Data.self { return Self.same(try data(at: value, place), as: type) }
    if type == URL.self { return Self.same(try url(at: value, place), as: type) }
    if type == Decimal.self { return Self.same(try decimal(at: value, place), as: type) }
    return try withDecoder(type, for: value, at: place()) { try type.init(from: $0) }
  }

  // In functions of their own, because the casts would slow down all types.
  @inline(never)
  private static func keepsNames(_ type: any Any.Type) -> Bool { type is any StringKeyed.Type }

  @inline(never)
  private func decodeKeepingNames<T: Decodable>(
    _ type: T.Type, _ decoder: TapeDecoder
  ) throws -> T {
    if let dictionary = type as? any StringKeyed.Type,
      let result = try dictionary.decode(by: decoder) as? T
    {
      return result
    }
    return try type.init(from: decoder)
  }

  /// Returns the value as `type`, which the caller has compared with its own type, so the bits are
  /// the same.
  @inline(__always)
  private static func same<A, B>(_ value: A, as type: B.Type) -> B {
    unsafeBitCast(value, to: type)
  }

  @inline(__always)
  func checked<T>(
    _ type: T.Type, _ result: T?, wanting kind: JSONView.Kind, at value: Int,
    _ place: () -> CodingPlace
  ) throws -> T {
    guard let result else { throw refusal(type, at: value, wanting: kind, place().path) }
    return result
  }

  @inline(__always)
  private func list<T>(
    _ type: T.Type, of kind: JSONView.Kind, at array: Int, _ place: () -> CodingPlace,
    _ read: (Int) -> T?
  ) throws -> [T] {
    guard tape.tag(array) == JSONTape.Tag.array else {
      throw refusal([Any].self, at: array, wanting: .array, place().path)
    }
    var list: [T] = []
    list.reserveCapacity(tape.countHint(of: array))
    var value = tape.first(in: array)
    let end = tape.end(of: array)
    while value < end {
      guard let element = read(value) else {
        throw refusal(type, at: value, wanting: kind, place().adding(list.count).path)
      }
      list.append(element)
      value = tape.after(value)
    }
    return list
  }
}

extension TapeDecoding {
  @inline(__always)
  private func dictionary<T>(
    _ type: T.Type, of kind: JSONView.Kind, at object: Int, _ place: () -> CodingPlace,
    _ read: (Int) -> T?
  ) throws -> [String: T] {
    guard tape.tag(object) == JSONTape.Tag.object else {
      throw refusal([String: Any].self, at: object, wanting: .object, place().path)
    }
    var dictionary: [String: T] = [:]
    dictionary.reserveCapacity(tape.countHint(of: object))
    var name = tape.first(in: object)
    let end = tape.end(of: object)
    while name < end {
      let key = tape.string(name)
      if let value = read(name + 1) {
        // The first member with a name wins.
        if let first = dictionary.updateValue(value, forKey: key) { dictionary[key] = first }
      } else if dictionary[key] == nil || !hasDefaultKeys {
        // With a key strategy, Foundation decodes repeated members too.
        let place = place().adding(TapeKey(dictionaryKey: key, isPlain: !hasDefaultKeys))
        throw refusal(type, at: name + 1, wanting: kind, place.path)
      }
      name = tape.after(name + 1)
    }
    return dictionary
  }
}

/// Dictionaries with string keys, which key strategies don't convert.
private protocol StringKeyed {
  static func decode(by decoder: TapeDecoder) throws -> Self
}

extension Dictionary: StringKeyed where Key == String, Value: Decodable {
  static func decode(by decoder: TapeDecoder) throws -> Self {
    let decoding = decoder.decoding
    let object = decoder.value
    let place = decoder.place
    guard decoding.kind(object) == .object else {
      throw decoding.refusal([String: Any].self, at: object, wanting: .object, place.path)
    }
    let tape = decoding.tape
    var result: Self = [:]
    var name = tape.first(in: object)
    let end = tape.end(of: object)
    while name < end {
      let key = tape.string(name)
      let value = try decoding.decode(
        Value.self, at: name + 1, place: { place }, key: { TapeKey(stringValue: key) })
      if result[key] == nil { result[key] = value }
      name = tape.after(name + 1)
    }
    return result
  }
}
