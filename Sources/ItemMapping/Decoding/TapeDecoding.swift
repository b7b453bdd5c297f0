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
  private var reuses = true

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

  /// Returns what is known about a type.
  @inline(__always)
  func known(_ type: any Any.Type) -> Unmanaged<DecodedType> {
    let identifier = ObjectIdentifier(type)
    for known in types where known.type == identifier { return known.known }
    return add(type)
  }

  @inline(never)
  private func add(_ type: any Any.Type) -> Unmanaged<DecodedType> {
    let known = Unmanaged.passRetained(DecodedType(isLeaf: Self.isLeaf(type)))
    types.append((ObjectIdentifier(type), known))
    return known
  }

  /// Returns a decoder for a value at a place or, with a key, in the container there. The value 0
  /// represents `null` where there is no value.
  func decoder(
    at value: Int, _ place: CodingPlace, _ key: consuming (any CodingKey)?
  ) throws -> TapeDecoder {
    if place.depth >= CodingPlace.maximumDepth { throw tooDeep(place, key) }
    let decoder = TapeDecoder(self)
    decoder.open(value, place, key, lentTo: nil)
    return decoder
  }

  /// Lends a decoder for a value of a type to the type's own code, until ``takeBack(_:_:)``. The references aren't
  /// counted in between: that would take a quarter of the time.
  @inline(never)
  func lend(
    _ type: Unmanaged<DecodedType>, for value: Int, at place: consuming CodingPlace,
    key: consuming (any CodingKey)?
  ) throws -> Unmanaged<TapeDecoder> {
    if place.depth >= CodingPlace.maximumDepth { throw tooDeep(place, key) }
    let decoder =
      type._withUnsafeGuaranteedRef { $0.takeSpare() }?.takeRetainedValue() ?? TapeDecoder(self)
    decoder.open(value, place, key, lentTo: type)
    return .passRetained(decoder)
  }

  /// Ends a loan. The decoder is used again for another value, unless somebody still has it or its container.
  @inline(never)
  func takeBack(_ decoder: Unmanaged<TapeDecoder>, _ type: Unmanaged<DecodedType>) {
    type._withUnsafeGuaranteedRef { $0.endLoan() }
    if reuses, decoder.isUnshared, decoder._withUnsafeGuaranteedRef({ $0.hasItsContainer }) {
      decoder._withUnsafeGuaranteedRef { $0.close() }
      type._withUnsafeGuaranteedRef { $0.keep(decoder) }
    } else {
      decoder._withUnsafeGuaranteedRef { $0.leave() }
      decoder.release()
    }
  }

  /// Calls `body` with a decoder for a value of a type.
  func withDecoder<R>(
    _ type: any Any.Type, for value: Int, at place: CodingPlace, _ body: (TapeDecoder) throws -> R
  ) throws -> R {
    let known = known(type)
    let decoder = try lend(known, for: value, at: place, key: nil)
    defer { takeBack(decoder, known) }
    return try decoder._withUnsafeGuaranteedRef(body)
  }

  func camelCase(_ name: String) -> String {
    if let key = camelCased[name] { return key }
    let key = ItemDecoder.camelCase(name)
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
  func tooDeep(_ place: CodingPlace, _ key: (any CodingKey)?) -> DecodingError {
    corrupted(
      "the value is nested in \(CodingPlace.maximumDepth) others, the maximum; decode it"
        + " separately, from its place in the document", (key.map(place.adding) ?? place).path)
  }

  func corrupted(_ description: String, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: description))
  }
}
