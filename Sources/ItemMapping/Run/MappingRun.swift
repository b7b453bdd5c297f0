/// The mapping of one document under way: what a ``JSONValue`` reads from and tells its troubles to.
///
/// A run belongs to one call and one thread, and is never copied. It tracks no paths: when something is wrong, the path
/// is worked out from the place on the tape.
public struct MappingRun: ~Copyable {
  private(set) var document: JSONDocument
  private(set) var tape: JSONTape
  /// The document's number, which places in it carry.
  private(set) var number: UInt64
  let mapper: ItemMapper
  /// Whether members that are missing leave what the item already holds. What is new within an
  /// update is read as always.
  var isUpdate: Bool
  /// Whether values are wanted for trying a property. Items are then made and not filled, for their
  /// plans may be under way.
  let isTrial: Bool

  /// The field whose value is being read, and the plan of the item that is being filled. Plans are
  /// never freed, so references need not be counted.
  var fieldReference: Unmanaged<PlanField>?
  var planReference: Unmanaged<ItemPlan>?
  /// How many items are around what is being read. A type may contain itself, and the server says how
  /// often; a stack of 512 KB has to suffice for it, also where nothing is optimized.
  var depth = 0
  static var deepest: Int { 64 }
  /// The object the item is filled from.
  var itemIndex = JSONTape.root
  /// How many sensitive fields are around what is being read.
  var hiding = 0
  /// Whether the item that is being filled misses something it can't be without, and what that is.
  var isUnusable = false
  var loss: Refusal?
  /// What the items around it miss, as far as they miss something.
  var outerLosses: [Refusal?] = []
  /// Where the candidates of the item's fields were found; 0 is nowhere.
  var candidates: UnsafeMutablePointer<Int>?

  /// Why the last read answered `nil`, until somebody decides what becomes of that.
  var refusal: Refusal?
  var ledger: IssueLedger
  /// Nothing more is read.
  var isStopped = false
  var strings = InternedStrings()
  /// The plans met so far, which are few.
  private var known: [KnownPlan] = []
  /// The documents around this one, where it is JSON within a string.
  private(set) var surroundings: [JSONView] = []

  private struct KnownPlan {
    let type: ObjectIdentifier
    let plan: Unmanaged<ItemPlan>
    var count: Int
  }

  init(
    _ document: JSONDocument, _ mapper: ItemMapper, isUpdate: Bool = false, isTrial: Bool = false
  ) {
    self.document = document
    tape = document.tape
    number = document.number
    self.mapper = mapper
    self.isUpdate = isUpdate
    self.isTrial = isTrial
    ledger = IssueLedger(samples: mapper.samples)
  }

  var field: PlanField? { fieldReference?.takeUnretainedValue() }
  var plan: ItemPlan? { planReference?.takeUnretainedValue() }

  /// The plan of a type, counted as used once more.
  @inline(__always)
  mutating func plan(
    of type: any Any.Type, make: (_ storesDirectly: Bool) -> ItemPlan
  ) -> Unmanaged<ItemPlan> {
    let identifier = ObjectIdentifier(type)
    for position in known.indices where known[position].type == identifier {
      known[position].count &+= 1
      return known[position].plan
    }
    let plan = Unmanaged.passUnretained(make(mapper.storesDirectly))
    if known.isEmpty { known.reserveCapacity(8) }
    known.append(KnownPlan(type: identifier, plan: plan, count: 1))
    return plan
  }

  /// How often each plan was asked for: by items of its type, and by those of a variant of it.
  var counts: [ObjectIdentifier: Int] {
    Dictionary(
      known.map { (ObjectIdentifier($0.plan.takeUnretainedValue()), $0.count) },
      uniquingKeysWith: +)
  }

  /// Reads from the document that a string contains.
  mutating func within<Value>(
    _ inner: JSONDocument, at place: MappingRun.Place, _ body: (inout MappingRun) -> Value?
  ) -> Value? {
    let outer = (document, tape, number)
    surroundings.append(view(place))
    document = inner
    tape = inner.tape
    number = inner.number
    defer {
      (document, tape, number) = outer
      surroundings.removeLast()
    }
    return body(&self)
  }
}

/// Strings that were read before: a list repeats the names of its authors and kinds.
struct InternedStrings {
  private struct Slot {
    var prefix: UInt64
    var string: String
  }

  private var slots: [Slot] = []
  private static let count = 256

  mutating func string(_ tape: JSONTape, _ index: Int) -> String {
    let bytes = tape.utf8(index)
    // So few bytes are kept within the string itself.
    guard bytes.count > 15 else { return tape.string(index) }
    if slots.isEmpty { slots = Array(repeating: Slot(prefix: 0, string: ""), count: Self.count) }
    let prefix = tape.prefix(bytes)
    let tail = UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: bytes.count - 8, as: UInt64.self)
    let mixed =
      (prefix ^ tail &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)) &* 0xFF51_AFD7_ED55_8CCD
    let slot = Int(truncatingIfNeeded: mixed &>> 56)
    if slots[slot].prefix == prefix, slots[slot].string.utf8.elementsEqual(bytes) {
      return slots[slot].string
    }
    let string = tape.string(index)
    slots[slot] = Slot(prefix: prefix, string: string)
    return string
  }
}
