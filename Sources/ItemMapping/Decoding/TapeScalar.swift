/// A type that is read from one value of a tape, without a decoder.
protocol TapeScalar: Decodable {
  /// The kind of the values that it is read from.
  static var kind: JSONView.Kind { get }
  /// Returns `nil` if the value doesn't fit.
  static func read(at value: Int, _ decoding: TapeDecoding) -> Self?

  // Requirements, so that they are compiled for each type.
  static func list(at array: Int, _ place: CodingPlace, _ decoding: TapeDecoding) throws -> [Self]
  static func dictionary(at object: Int, _ place: CodingPlace, _ decoding: TapeDecoding) throws -> [String: Self]
}

extension TapeScalar {
  static func list(at array: Int, _ place: CodingPlace, _ decoding: TapeDecoding) throws -> [Self] {
    let tape = decoding.tape
    guard tape.tag(array) == JSONTape.Tag.array else {
      throw decoding.refusal([Any].self, at: array, wanting: .array, place.path)
    }
    var list: [Self] = []
    list.reserveCapacity(tape.countHint(of: array))
    var value = tape.first(in: array)
    let end = tape.end(of: array)
    while value < end {
      list.append(try decoding.scalar(Self.self, at: value) { place.path + [TapeKey(index: list.count)] })
      value = tape.after(value)
    }
    return list
  }

  static func dictionary(
    at object: Int, _ place: CodingPlace, _ decoding: TapeDecoding
  ) throws -> [String: Self] {
    let tape = decoding.tape
    guard tape.tag(object) == JSONTape.Tag.object else {
      throw decoding.refusal([String: Any].self, at: object, wanting: .object, place.path)
    }
    var dictionary: [String: Self] = [:]
    dictionary.reserveCapacity(tape.countHint(of: object))
    var name = tape.first(in: object)
    let end = tape.end(of: object)
    while name < end {
      let key = tape.string(name)
      if let value = read(at: name + 1, decoding) {
        // The first member with a name wins.
        if let first = dictionary.updateValue(value, forKey: key) { dictionary[key] = first }
      } else if dictionary[key] == nil || !decoding.hasDefaultKeys {
        // With a key strategy, Foundation decodes repeated members too.
        let last = TapeKey(dictionaryKey: key, isPlain: !decoding.hasDefaultKeys)
        throw decoding.refusal(Self.self, at: name + 1, wanting: kind, place.path + [last])
      }
      name = tape.after(name + 1)
    }
    return dictionary
  }
}

extension Bool: TapeScalar {
  static var kind: JSONView.Kind { .bool }
  @inline(__always)
  static func read(at value: Int, _ decoding: TapeDecoding) -> Bool? { decoding.bool(at: value) }
}

extension String: TapeScalar {
  static var kind: JSONView.Kind { .string }
  @inline(__always)
  static func read(at value: Int, _ decoding: TapeDecoding) -> String? { decoding.string(at: value) }
}

extension Double: TapeScalar {
  static var kind: JSONView.Kind { .number }
  @inline(__always)
  static func read(at value: Int, _ decoding: TapeDecoding) -> Double? { decoding.double(at: value) }
}

extension Float: TapeScalar {
  static var kind: JSONView.Kind { .number }
  static func read(at value: Int, _ decoding: TapeDecoding) -> Float? { decoding.float(at: value) }
}

extension TapeScalar where Self: FixedWidthInteger {
  static var kind: JSONView.Kind { .number }
  @inline(__always)
  static func read(at value: Int, _ decoding: TapeDecoding) -> Self? { decoding.integer(Self.self, at: value) }
}

extension Int: TapeScalar {}
extension Int8: TapeScalar {}
extension Int16: TapeScalar {}
extension Int32: TapeScalar {}
extension Int64: TapeScalar {}
extension Int128: TapeScalar {}
extension UInt: TapeScalar {}
extension UInt8: TapeScalar {}
extension UInt16: TapeScalar {}
extension UInt32: TapeScalar {}
extension UInt64: TapeScalar {}
extension UInt128: TapeScalar {}
