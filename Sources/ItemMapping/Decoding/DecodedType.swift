/// What the decoders of one document know about a type that they decoded.
final class DecodedType {
  /// Whether the type doesn't decode itself.
  let isLeaf: Bool
  /// The orders in which the members of its objects were read. All are kept, because objects may still follow earlier
  /// ones.
  private var orders: [ReadOrder] = []
  /// The steps of the last order; `nil` before one was learned.
  @exclusivity(unchecked) private(set) var steps: UnsafePointer<ReadOrder.Step>?
  /// How often an order may still be learned: that takes longer than a few searches, and objects that all differ would be
  /// searched anyway.
  private var attempts = ItemMapper.storesDirectlyByDefault ? 8 : 0
  /// The number of loans that have ended, up to two.
  @exclusivity(unchecked) private var loans = 0
  /// The first of the decoders that can be lent.
  @exclusivity(unchecked) private var spare: Unmanaged<TapeDecoder>?

  init(isLeaf: Bool) { self.isLeaf = isLeaf }

  /// Whether more values of the type are to be expected, as after two of them.
  var isFrequent: Bool { loans > 1 }
  var learnsOrders: Bool { isFrequent && attempts > 0 }

  @inline(never)
  func learn(_ members: TapeMembers, _ tape: JSONTape) {
    guard attempts > 0, let reads = members.reads else { return }
    attempts -= 1
    guard let order = ReadOrder(reads, of: members.object, tape) else { return }
    orders.append(order)
    steps = order.steps.baseAddress
  }

  /// Returns the order that a step is of.
  func order(with step: UnsafePointer<ReadOrder.Step>) -> ReadOrder? {
    orders.first { $0.has(step) }
  }

  @inline(__always)
  func takeSpare() -> Unmanaged<TapeDecoder>? {
    let decoder = spare
    spare = decoder?._withUnsafeGuaranteedRef { $0.next }
    return decoder
  }

  @inline(__always)
  func keep(_ decoder: Unmanaged<TapeDecoder>) {
    decoder._withUnsafeGuaranteedRef { $0.next = spare }
    spare = decoder
    if loans < 2 { loans &+= 1 }
  }

  /// Drops the spare decoders, which own the owner of this object.
  func dropSpare() { while let decoder = takeSpare() { decoder.release() } }
}

extension Unmanaged {
  /// Whether nobody else has the object.
  @inline(__always)
  var isUnshared: Bool {
    var word = toOpaque()
    return withUnsafeMutablePointer(to: &word) {
      UnsafeMutableRawPointer($0).withMemoryRebound(to: Instance.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}
