#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the decoders of one document share.
final class TapeDecoding {
  let options: ItemDecoder
  let document: JSONDocument
  let tape: JSONTape
  let hasDefaultKeys: Bool
  let userInfo: [CodingUserInfoKey: Any]
  /// Names in camel case, by their names in the text.
  private var camelCased: [String: String] = [:]
  /// What is known about the types that were decoded: few, so comparing them takes less than hashing does.
  /// Owned by this object. Unchecked, because nothing re-enters while it changes.
  @exclusivity(unchecked) private var types: [(type: ObjectIdentifier, known: Unmanaged<DecodedType>)] = []
  /// Whether decoders are still kept for other values.
  private(set) var reuses = true

  init(_ options: ItemDecoder, _ document: JSONDocument) {
    self.options = options
    self.document = document
    tape = document.tape
    hasDefaultKeys = if case .useDefaultKeys = options.keyStrategy { true } else { false }
    userInfo = options.userInfo.isEmpty ? [:] : options.userInfo.mapValues { $0 }
  }

  deinit { for type in types { type.known.release() } }

  /// Drops the spare decoders, which refer to this object.
  func end() {
    reuses = false
    for type in types { type.known.takeUnretainedValue().dropSpare() }
  }

  /// Returns the reader of a type, which has what is known about it.
  @inline(__always)
  func reader<T: Decodable>(of type: T.Type) -> Unmanaged<TypeReader<T>> {
    let identifier = ObjectIdentifier(type)
    for known in types where known.type == identifier {
      // Not downcast as a reference, which would be counted.
      return .fromOpaque(known.known.toOpaque())
    }
    return add(type)
  }

  @inline(never)
  private func add<T: Decodable>(_ type: T.Type) -> Unmanaged<TypeReader<T>> {
    let known = Unmanaged.passRetained(TypeReaders.reader(of: type).init(self))
    types.append((ObjectIdentifier(type), known))
    return .fromOpaque(known.toOpaque())
  }

  /// Decodes a value of any type.
  func decode<T: Decodable>(_ type: T.Type, at value: Int, _ place: CodingPlace) throws -> T {
    try reader(of: type)._withUnsafeGuaranteedRef { try $0.read(value, at: place) }
  }

  /// Returns a decoder that isn't lent. The value 0 represents `null` where there is no value.
  func decoder(at value: Int, _ place: CodingPlace) throws -> TapeDecoder {
    if place.depth >= CodingPlace.maximumDepth { throw tooDeep(place) }
    return TapeDecoder(
      self, value: value, depth: place.depth + 1, in: place.parent?.takeUnretainedValue(), place.lastKey)
  }

  /// Calls `body` with a decoder for a value of a type.
  func withDecoder<R>(
    _ type: (some Decodable).Type, for value: Int, at place: CodingPlace, _ body: (TapeDecoder) throws -> R
  ) throws -> R {
    let known = reader(of: type).takeUnretainedValue()
    let decoder = try known.lend(value, at: place)
    defer { known.takeBack(decoder) }
    return try body(decoder.takeUnretainedValue())
  }

  func camelCase(_ name: String) -> String {
    if let key = camelCased[name] { return key }
    let key = ItemDecoder.camelCase(name)
    camelCased[name] = key
    return key
  }
}

extension TapeDecoding {
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

  /// Reads a number, a string or a Boolean.
  @inline(__always)
  func scalar<T: TapeScalar>(_ type: T.Type, at value: Int, _ path: () -> [any CodingKey]) throws -> T {
    guard let result = type.read(at: value, self) else {
      throw refusal(type, at: value, wanting: type.kind, path())
    }
    return result
  }

  func corrupted(_ description: String, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: description))
  }
}

extension JSONTape {
  /// Whether a value is `null`. The value 0 stands for a missing one.
  @inline(__always)
  func isNull(_ value: Int) -> Bool { value == 0 || tag(value) == JSONTape.Tag.null }
}
