/// What the decoders of one document share.
final class TapeDecoding {
  let options: ItemDecoder
  let document: JSONDocument
  let tape: JSONTape
  let hasDefaultKeys: Bool
  let userInfo: [CodingUserInfoKey: Any]
  /// Names in camel case, by their names in the text.
  private var camelCased: [String: String] = [:]
  /// The `KeyedWrapper` of each type of keys: few, so comparing them takes less than hashing does.
  /// Unchecked like the next property, because nothing re-enters while they change.
  @exclusivity(unchecked) private var wrappers: [(keys: ObjectIdentifier, wrapper: AnyObject)] = []
  /// Decoders that are used again for other values, until ``end()``.
  @exclusivity(unchecked) private var spare: [TapeDecoder]? = []

  init(_ options: ItemDecoder, _ document: JSONDocument) {
    self.options = options
    self.document = document
    tape = document.tape
    hasDefaultKeys = options.keyStrategy.isDefault
    userInfo = options.userInfo.isEmpty ? [:] : options.userInfo.mapValues { $0 }
  }

  /// Drops the spare decoders, which refer to this object.
  func end() { spare = nil }

  /// Returns a decoder for a value at a place or, with a key, in the container there. The value 0
  /// represents `null` where there is no value.
  @inline(__always)
  func decoder(
    at value: Int, _ place: CodingPlace, _ key: consuming (any CodingKey)?
  ) throws -> TapeDecoder {
    if place.depth >= CodingPlace.maximumDepth { throw tooDeep(key.map(place.adding) ?? place) }
    let decoder = spare?.popLast() ?? TapeDecoder(self)
    decoder.open(value, place.entered, key)
    return decoder
  }

  /// Keeps a decoder for another value, unless somebody still has it or one of its containers.
  @inline(__always)
  func release(_ decoder: inout TapeDecoder) {
    guard isKnownUniquelyReferenced(&decoder) else { return }
    decoder.close()
    spare?.append(decoder)
  }

  /// Calls `body` with a decoder for a value.
  func withDecoder<R>(
    _ value: Int, _ place: CodingPlace, _ body: (TapeDecoder) throws -> R
  ) throws -> R {
    var decoder = try decoder(at: value, place, nil)
    defer { release(&decoder) }
    return try body(decoder)
  }

  func container<Key: CodingKey>(
    _ decoder: TapeDecoder, keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> {
    let keys = ObjectIdentifier(type)
    for known in wrappers where known.keys == keys {
      return unsafeDowncast(known.wrapper, to: KeyedWrapper<Key>.self).container(decoder)
    }
    let wrapper = KeyedWrapper(KeyedTape<Key>.self)
    wrappers.append((keys, wrapper))
    return wrapper.container(decoder)
  }

  func camelCase(_ name: String) -> String {
    if let key = camelCased[name] { return key }
    let key = ItemDecoder.KeyStrategy.camelCase(name)
    camelCased[name] = key
    return key
  }
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
