/// What the decoders of one document know about a type that they decoded. Its subclasses read the type's values.
class DecodedType {
  /// Owns this object.
  final let decoding: Unmanaged<TapeDecoding>
  /// Makes containers with the keys that the type asked for first.
  private final var containers: Unmanaged<ContainerMaker>?
  /// The type of these keys.
  private final var keys: ObjectIdentifier?
  /// The orders in which the members of its objects were read. All are kept, because objects may still follow earlier
  /// ones.
  private final var orders: [ReadOrder] = []
  /// The steps of the last order; `nil` before one was learned.
  private(set) final var steps: UnsafePointer<ReadOrder.Step>?
  /// The number of loans that have ended.
  private final var loans = 0
  /// From how many loans on an order is learned, which takes as long as to decode a few objects. Later and later, since
  /// objects that differ again and again have no order.
  private final var loansToLearn = 8
  private static let mostLoansToLearn = 1_024
  /// The first of the decoders that can be lent.
  private final var spare: Unmanaged<TapeDecoder>?

  required init(_ decoding: TapeDecoding) { self.decoding = .passUnretained(decoding) }

  deinit { containers?.release() }

  final var learnsOrders: Bool { loans >= loansToLearn }

  @inline(never)
  final func learn(_ members: TapeMembers, _ tape: JSONTape) {
    guard learnsOrders, let reads = members.reads, !reads.isEmpty else { return }
    loansToLearn = loans < Self.mostLoansToLearn ? 2 * loans : .max
    guard let order = ReadOrder(reads, of: members.object, tape) else { return }
    orders.append(order)
    steps = order.steps
  }

  /// Returns the order that a step is of.
  final func order(with step: UnsafePointer<ReadOrder.Step>) -> ReadOrder? {
    orders.first { $0.has(step) }
  }

  @inline(never)
  final func learn<Key: CodingKey>(keys type: Key.Type) {
    // One object of a type doesn't pay for what more of them gain.
    guard loans > 0, containers == nil else { return }
    containers = .passRetained(ContainerMakerOf<Key, KeyedTape<Key>>())
    keys = ObjectIdentifier(type)
  }

  @inline(__always)
  final func containers(for type: ObjectIdentifier) -> Unmanaged<ContainerMaker>? { keys == type ? containers : nil }

  /// Lends a decoder for a value of the type to the type's own code, until ``takeBack(_:)``.
  @inline(__always)
  final func lend(
    _ value: Int, at place: CodingPlace
  ) throws -> Unmanaged<TapeDecoder> {
    let depth = place.depth
    if depth >= CodingPlace.maximumDepth { throw decoding.takeUnretainedValue().tooDeep(place) }
    let decoder = takeSpare() ?? .passRetained(TapeDecoder(decoding.takeUnretainedValue()))
    decoder._withUnsafeGuaranteedRef {
      $0.open(value, at: place, depth: depth &+ 1, lentTo: .passUnretained(self))
    }
    return decoder
  }

  /// Ends a loan. The decoder is used again for another value, unless somebody still has it or one of its containers.
  @inline(never)
  final func takeBack(_ decoder: Unmanaged<TapeDecoder>) {
    loans &+= 1
    if decoder.isUnshared, decoder._withUnsafeGuaranteedRef({ $0.close() }) {
      decoder._withUnsafeGuaranteedRef { $0.next = spare }
      spare = decoder
    } else {
      decoder._withUnsafeGuaranteedRef { $0.leave() }
      decoder.release()
    }
  }

  @inline(__always)
  private final func takeSpare() -> Unmanaged<TapeDecoder>? {
    let decoder = spare
    spare = decoder?._withUnsafeGuaranteedRef { $0.next }
    return decoder
  }

  /// Drops the spare decoders, which own the owner of this object.
  final func dropSpare() { while let decoder = takeSpare() { decoder.release() } }
}

extension Unmanaged {
  /// Whether nobody else has the object.
  @inline(__always)
  fileprivate var isUnshared: Bool {
    var word = toOpaque()
    return withUnsafeMutablePointer(to: &word) {
      // Not to `AnyObject`: a debug build would pass a copy, which is one more reference.
      UnsafeMutableRawPointer($0).withMemoryRebound(to: Instance.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}

/// Makes containers. Objects of this class know the types that the runtime would look for each time otherwise.
class ContainerMaker {}

/// Makes containers with a type of keys.
final class ContainerMakerOf<Key, Tape: TapeContainer>: ContainerMaker where Tape.Key == Key {
  /// Not inlined, because elsewhere the runtime would look for the type `Tape`.
  @inline(never)
  func container(of decoder: TapeDecoder) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Tape(decoder))
  }
}

/// A container over a decoder.
protocol TapeContainer: KeyedDecodingContainerProtocol {
  init(_ decoder: TapeDecoder)
}
