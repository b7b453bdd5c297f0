/// A container that a decoder offers again for its next value: to make one takes longer than to decode a number.
///
/// The standard library keeps a container as one reference to a box, which has the `KeyedTape` in it. That is not
/// documented, so it is proven once in each process. Where it is different, each value gets a new container.
class LentContainer {
  /// The box, which the subclass keeps.
  private final let box: Unmanaged<AnyObject>

  fileprivate init(box: UnsafeRawPointer) { self.box = .fromOpaque(box) }

  /// Whether nobody else has the container.
  @inline(__always)
  final var isUnshared: Bool { box.isUnshared }

  /// Makes the container own its decoder.
  final func setOwner(_ decoder: TapeDecoder) {
    guard let offset = Self.ownerOffset else { return }
    (box.toOpaque() + offset).assumingMemoryBound(to: TapeDecoder?.self).pointee = decoder
  }

  /// Whether the standard library keeps containers as is described above.
  static let areUnderstood = ItemMapper.storesDirectlyByDefault && areProven()
}

/// A container with its type.
final class LentContainerOf<Container>: LentContainer {
  private let container: Container

  init<Key: CodingKey>(_ container: Container) where Container == KeyedDecodingContainer<Key> {
    self.container = container
    super.init(box: Self.box(of: container))
  }

  /// Returns the container. Not inlined, because elsewhere the runtime would look for the type `Container`.
  @inline(never)
  func lend() -> Container { container }
}

extension LentContainer {
  fileprivate static func box<Key: CodingKey>(
    of container: KeyedDecodingContainer<Key>
  ) -> UnsafeRawPointer {
    unsafeBitCast(container, to: UnsafeRawPointer.self)
  }

  /// The offset of the `KeyedTape` in a box. It depends on no key, because a `KeyedTape` has none.
  private static var offset: Int { ItemMemory<BaseItem>.header }

  private static var ownerOffset: Int? {
    MemoryLayout<KeyedTape<TapeKey>>.offset(of: \.owner).map { offset + $0 }
  }

  /// The only word of a container must be a reference to the object that reflection shows. What was put into the
  /// container must be in that object, and the container must do by what is written there.
  private static func areProven() -> Bool {
    guard let first = decoder(of: #"{"first":0}"#), let second = decoder(of: #"{"second":0}"#)
    else { return false }
    let tape = KeyedTape<TapeKey>(first, owner: nil)
    let container = KeyedDecodingContainer(tape)
    guard MemoryLayout.size(ofValue: container) == MemoryLayout<AnyObject>.size,
      let child = Mirror(reflecting: container).children.first?.value, type(of: child) is AnyClass
    else { return false }
    let box = box(of: container)
    let object = child as AnyObject
    let address = Unmanaged.passUnretained(object).toOpaque()
    let size = MemoryLayout<KeyedTape<TapeKey>>.size
    guard box == UnsafeRawPointer(address),
      offset + size <= ItemMemory<BaseItem>.size(of: object), ownerOffset != nil
    else { return false }
    let content = address + offset
    let found = Array(UnsafeRawBufferPointer(start: content, count: size))
    guard withUnsafeBytes(of: tape, { Array($0) }) == found, names(in: container) == ["first"]
    else { return false }
    content.assumingMemoryBound(to: KeyedTape<TapeKey>.self).pointee = KeyedTape(second, owner: nil)
    return withExtendedLifetime((first, second)) { names(in: container) == ["second"] }
  }

  private static func decoder(of text: String) -> TapeDecoder? {
    guard let document = try? JSONDocument(text),
      let decoder = try? TapeDecoding(ItemDecoder(), document).decoder(
        at: JSONTape.root, CodingPlace(), nil),
      (try? decoder.container(keyedBy: TapeKey.self)) != nil
    else { return nil }
    return decoder
  }

  private static func names(in container: KeyedDecodingContainer<TapeKey>) -> [String] {
    container.allKeys.map(\.stringValue)
  }
}
