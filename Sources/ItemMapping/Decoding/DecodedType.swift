/// What the decoders of one document know about a type that they decoded.
final class DecodedType {
  /// Whether the type doesn't decode itself.
  let isLeaf: Bool
  /// The orders in which the members of its objects were read. All are kept, because objects may still follow earlier
  /// ones.
  private var orders: [ReadOrder] = []
  /// The steps of the last order; `nil` before one was learned.
  @exclusivity(unchecked) private(set) var steps: UnsafePointer<ReadOrder.Step>?
  /// The number of loans that have ended.
  @exclusivity(unchecked) private var loans = 0
  /// From how many loans on an order is learned, which takes as long as to decode a few objects. Later and later, since
  /// objects that differ again and again have no order.
  private var loansToLearn = ItemMapper.storesDirectlyByDefault ? 8 : Int.max
  private static let mostLoansToLearn = 1_024
  /// The first of the decoders that can be lent.
  @exclusivity(unchecked) private var spare: Unmanaged<TapeDecoder>?

  init(isLeaf: Bool) { self.isLeaf = isLeaf }

  /// Whether more values of the type are to be expected, as after a few of them.
  var isFrequent: Bool { loans > 3 }
  var learnsOrders: Bool { loans >= loansToLearn }

  @inline(never)
  func learn(_ members: TapeMembers, _ tape: JSONTape) {
    guard learnsOrders, let reads = members.reads, !reads.isEmpty else { return }
    loansToLearn = loans < Self.mostLoansToLearn ? 2 * loans : .max
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
  }

  @inline(__always)
  func endLoan() { loans &+= 1 }

  /// Drops the spare decoders, which own the owner of this object.
  func dropSpare() { while let decoder = takeSpare() { decoder.release() } }
}

extension Unmanaged {
  /// Whether nobody else has the object.
  @inline(__always)
  var isUnshared: Bool {
    var word = toOpaque()
    return withUnsafeMutablePointer(to: &word) {
      // Not to `AnyObject`: a debug build would pass a copy, which is one more reference.
      UnsafeMutableRawPointer($0).withMemoryRebound(to: Instance.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}
