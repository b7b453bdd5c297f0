#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TapeDecoding {
  /// Decodes a value of any type. What needs no decoder of its own is read at once.
  func decode<T: Decodable>(
    _ type: T.Type, at value: Int, place: () -> CodingPlace, key: () -> (any CodingKey)?
  ) throws -> T {
    func full() -> CodingPlace { key().map(place().adding) ?? place() }
    if type == String.self {
      return Self.same(try checked(String.self, .string, string(at: value), value, full), as: type)
    }
    if type == Int.self {
      let integer = integer(Int.self, at: value)
      return Self.same(try checked(Int.self, .number, integer, value, full), as: type)
    }
    if type == Double.self {
      return Self.same(try checked(Double.self, .number, double(at: value), value, full), as: type)
    }
    if type == Bool.self {
      return Self.same(try checked(Bool.self, .bool, bool(at: value), value, full), as: type)
    }
    if type == [String].self {
      let strings = try list(String.self, .string, at: value, full) { string(at: $0) }
      return Self.same(strings, as: type)
    }
    if type == [Int].self {
      let integers = try list(Int.self, .number, at: value, full) { integer(Int.self, at: $0) }
      return Self.same(integers, as: type)
    }
    if type == [Double].self {
      let doubles = try list(Double.self, .number, at: value, full) { double(at: $0) }
      return Self.same(doubles, as: type)
    }
    if type == [String: String].self {
      let strings = try dictionary(String.self, .string, at: value, full) { string(at: $0) }
      return Self.same(strings, as: type)
    }
    if type == [String: Int].self {
      let integers = try dictionary(Int.self, .number, at: value, full) {
        integer(Int.self, at: $0)
      }
      return Self.same(integers, as: type)
    }
    if type == Date.self, let date = try date(at: value, full) {
      return Self.same(date, as: type)
    }
    if type == Data.self, let data = try data(at: value, full) {
      return Self.same(data, as: type)
    }
    if type == URL.self { return Self.same(try url(at: value, full), as: type) }
    if type == Decimal.self { return Self.same(try decimal(at: value, full), as: type) }

    let outer = enter(value, place(), key())
    defer { leave(to: outer) }
    return try decodeCurrent(type)
  }

  /// Lets a type decode itself from the current value.
  private func decodeCurrent<T: Decodable>(_ type: T.Type) throws -> T {
    if type == Date.self, case .custom(let read) = options.dateStrategy {
      return Self.same(try read(self), as: type)
    }
    if type == Data.self, case .custom(let read) = options.dataStrategy {
      return Self.same(try read(self), as: type)
    }
    return hasDefaultKeys ? try type.init(from: self) : try decodeKeepingNames(type)
  }

  /// A function of its own: the casts would slow all types down.
  @inline(never)
  private func decodeKeepingNames<T: Decodable>(_ type: T.Type) throws -> T {
    if let dictionary = type as? any StringKeyed.Type,
      let result = try dictionary.decode(by: self) as? T
    {
      return result
    }
    return try type.init(from: self)
  }

  /// A value whose type was compared with `type`, so that the bits are the same.
  @inline(__always)
  private static func same<A, B>(_ value: A, as type: B.Type) -> B {
    unsafeBitCast(value, to: type)
  }

  @inline(__always)
  func checked<T>(
    _ type: T.Type, _ kind: JSONKind, _ result: T?, _ value: Int, _ place: () -> CodingPlace
  ) throws -> T {
    guard let result else { throw refusal(type, at: value, wanting: kind, place().path) }
    return result
  }

  @inline(__always)
  private func list<T>(
    _ type: T.Type, _ kind: JSONKind, at array: Int, _ place: () -> CodingPlace,
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
    _ type: T.Type, _ kind: JSONKind, at object: Int, _ place: () -> CodingPlace,
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
        // The first of repeated names counts.
        if let first = dictionary.updateValue(value, forKey: key) { dictionary[key] = first }
      } else if dictionary[key] == nil {
        let place = place().adding(TapeKey(dictionaryKey: key, isPlain: !hasDefaultKeys))
        throw refusal(type, at: name + 1, wanting: kind, place.path)
      }
      name = tape.after(name + 1)
    }
    return dictionary
  }
}

/// Dictionaries with strings as keys: a strategy for keys leaves those alone.
private protocol StringKeyed {
  static func decode(by decoding: TapeDecoding) throws -> Self
}

extension Dictionary: StringKeyed where Key == String, Value: Decodable {
  static func decode(by decoding: TapeDecoding) throws -> Self {
    let object = decoding.frame.pointee.value
    let place = decoding.place
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
