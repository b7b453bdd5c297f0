/// A decoder of a tape: the decoder that types see, with the state that its containers share.
///
/// One object serves a whole call. While a value decodes itself it is the current one, and the
/// previous one is saved on the call stack.
final class TapeDecoding: Decoder {
  let options: ItemDecoder
  let document: JSONDocument
  let tape: JSONTape
  let hasDefaultKeys: Bool
  let userInfo: [CodingUserInfoKey: Any]
  /// Behind a pointer because it changes with each value, too often for a dynamic exclusivity check
  /// on each access.
  let frame: UnsafeMutablePointer<Frame>
  /// Names in camel case, by their names in the text.
  private var camelCased: [String: String] = [:]

  /// The value that is being decoded.
  struct Frame {
    /// Its index on the tape; 0 represents `null` where there is no value.
    var value: Int
    var place: CodingPlace
    /// Its key in the container at `place`, until `place` includes it.
    var key: (any CodingKey)?
  }

  init(
    _ options: ItemDecoder, _ document: JSONDocument, value: Int = 0, place: CodingPlace = .init()
  ) {
    self.options = options
    self.document = document
    tape = document.tape
    hasDefaultKeys = options.keyStrategy.isDefault
    userInfo = options.userInfo.isEmpty ? [:] : options.userInfo.mapValues { $0 }
    frame = .allocate(capacity: 1)
    frame.initialize(to: Frame(value: value, place: place))
  }

  deinit {
    frame.deinitialize(count: 1)
    frame.deallocate()
  }

  /// Returns a separate decoder for one value, for classes that decode their superclass.
  func forked(value: Int, place: CodingPlace) throws -> TapeDecoding {
    if place.depth >= CodingPlace.maximumDepth { throw tooDeep(place) }
    return TapeDecoding(options, document, value: value, place: place.entered)
  }

  /// Makes a value the current one, until ``leave(to:)`` is called with the result.
  @inline(__always)
  func enter(_ value: Int, _ place: CodingPlace, _ key: (any CodingKey)?) throws -> Frame {
    if place.depth >= CodingPlace.maximumDepth { throw tooDeep(key.map(place.adding) ?? place) }
    let outer = frame.move()
    frame.initialize(to: Frame(value: value, place: place.entered, key: key))
    return outer
  }

  @inline(__always)
  func leave(to outer: consuming Frame) {
    frame.deinitialize(count: 1)
    frame.initialize(to: outer)
  }

  /// Makes a value the current one during a call.
  func entering<R>(
    _ value: Int, _ place: CodingPlace, _ key: (any CodingKey)?, _ body: () throws -> R
  ) throws -> R {
    let outer = try enter(value, place, key)
    defer { leave(to: outer) }
    return try body()
  }

  /// The place of the current value.
  var place: CodingPlace {
    guard let key = frame.pointee.key else { return frame.pointee.place }
    return frame.pointee.place.adding(key)
  }

  var codingPath: [any CodingKey] { place.path }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedTape<Key>(try members()))
  }

  func members() throws -> TapeMembers {
    let value = frame.pointee.value
    guard tape.tag(value) == JSONTape.Tag.object else {
      throw refusal([String: Any].self, at: value, wanting: .object, codingPath)
    }
    return TapeMembers(self, value, frame.pointee.place, frame.pointee.key)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let value = frame.pointee.value
    guard tape.tag(value) == JSONTape.Tag.array else {
      throw refusal([Any].self, at: value, wanting: .array, codingPath)
    }
    return UnkeyedTape(self, value, place)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func camelCase(_ name: String) -> String {
    if let key = camelCased[name] { return key }
    let key = ItemDecoder.KeyStrategy.camelCase(name)
    camelCased[name] = key
    return key
  }
}

extension TapeDecoding: SingleValueDecodingContainer {
  private var value: Int { frame.pointee.value }

  func decodeNil() -> Bool { isNull(value) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decode(
      type, at: value, place: { frame.pointee.place }, key: { frame.pointee.key })
  }

  func decode(_: Bool.Type) throws -> Bool {
    try checked(Bool.self, .bool, bool(at: value), value) { place }
  }

  func decode(_: String.Type) throws -> String {
    try checked(String.self, .string, string(at: value), value) { place }
  }

  func decode(_: Double.Type) throws -> Double {
    try checked(Double.self, .number, double(at: value), value) { place }
  }

  func decode(_: Float.Type) throws -> Float {
    try checked(Float.self, .number, float(at: value), value) { place }
  }

  private func integer<T: FixedWidthInteger>() throws -> T {
    try checked(T.self, .number, integer(T.self, at: value), value) { place }
  }

  func decode(_: Int.Type) throws -> Int { try integer() }
  func decode(_: Int8.Type) throws -> Int8 { try integer() }
  func decode(_: Int16.Type) throws -> Int16 { try integer() }
  func decode(_: Int32.Type) throws -> Int32 { try integer() }
  func decode(_: Int64.Type) throws -> Int64 { try integer() }
  func decode(_: Int128.Type) throws -> Int128 { try integer() }
  func decode(_: UInt.Type) throws -> UInt { try integer() }
  func decode(_: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_: UInt128.Type) throws -> UInt128 { try integer() }
}

extension TapeDecoding {
  @inline(__always)
  func isNull(_ value: Int) -> Bool { value == 0 || tape.tag(value) == JSONTape.Tag.null }

  func kind(_ value: Int) -> JSONView.Kind {
    value == 0 ? .null : JSONView(document: document, index: value).kind
  }

  /// Returns the error for a value that a type can't be decoded from. A value of the wanted kind
  /// didn't fit.
  func refusal(
    _ type: any Any.Type, at value: Int, wanting wanted: JSONView.Kind,
    _ path: @autoclosure () -> [any CodingKey]
  ) -> DecodingError {
    let kind = kind(value)
    let name = TypeName.text(type)
    if kind == wanted {
      return corrupted(
        "the \(kind) can't be represented as \(name); declare a type that can hold it", path())
    }
    // A container is decoded for a type that is not known here.
    let purpose = wanted == .array || wanted == .object ? "" : " for \(name)"
    let text = "expected \(wanted.withArticle)\(purpose), found \(kind.withArticle)"
    guard kind == .null, wanted != .bool else {
      return .typeMismatch(
        type, DecodingError.Context(codingPath: path(), debugDescription: text))
    }
    return .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: path(),
        debugDescription: text + "; make the property optional if it may be null"))
  }

  /// Returns the error for a value that is nested too deep.
  @inline(never)
  func tooDeep(_ place: CodingPlace) -> DecodingError {
    corrupted(
      "the value is nested in \(CodingPlace.maximumDepth) others, the maximum; decode it"
        + " separately, from its place in the document", place.path)
  }

  func corrupted(_ description: String, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: description))
  }
}
