extension ItemMapper {
  /// A mapping of one document in progress. A ``JSONValue`` reads from it and reports issues to it.
  ///
  /// A run belongs to one call and one thread, and is never copied. It tracks no paths: the path of
  /// an issue is derived from its place on the tape.
  public struct Run: ~Copyable {
    private(set) var document: JSONDocument
    private(set) var tape: JSONTape
    /// The document's number, which its places contain.
    private(set) var number: UInt64
    let mapper: ItemMapper
    /// Whether missing members leave the item's values unchanged. New items within an update are read
    /// as usual.
    var isUpdate: Bool
    /// Whether the values are only probes for a property. Items are then created but not filled,
    /// because their plans may be in progress.
    let isTrial: Bool

    /// The field whose value is being read and the plan of the item that is being filled. Plans in
    /// use are never freed, so the references are not counted.
    var fieldReference: Unmanaged<PlanField>?
    var planReference: Unmanaged<ItemPlan>?
    /// The number of items around the current value. A type may contain itself, and the server
    /// controls the nesting; a stack of 512 KB must suffice, also without optimization.
    var depth = 0
    static var maximumDepth: Int { 64 }
    /// The index of the object that the item is filled from.
    var itemIndex = JSONTape.root
    /// The number of sensitive fields around the current value.
    var sensitiveDepth = 0
    /// Whether the current item lacks a required value, and why.
    var isUnusable = false
    var loss: Refusal?
    /// The saved ``loss`` of each unusable item around the current one.
    var outerLosses: [Refusal?] = []
    /// The indexes at which the candidates of the item's fields were found; 0 for those not found.
    var candidates: UnsafeMutablePointer<Int>?

    /// Why the last read returned `nil`, until it is handled.
    var refusal: Refusal?
    var ledger: IssueLedger
    /// Whether reading has ended early.
    var isStopped = false
    var strings = InternedStrings()
    /// The plans used so far, which are few.
    private var known: [KnownPlan] = []
    /// The values that contain this document, if it is JSON within a string.
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

    /// Returns the plan of a type, and counts the use.
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

    /// The number of uses of each plan, by items of its type and of its variants.
    var counts: [ObjectIdentifier: Int] {
      Dictionary(
        known.map { (ObjectIdentifier($0.plan.takeUnretainedValue()), $0.count) },
        uniquingKeysWith: +)
    }

    /// Reads from a document that is the content of a string.
    mutating func within<Value>(
      _ inner: JSONDocument, at place: ItemMapper.Run.Place,
      _ body: (inout ItemMapper.Run) -> Value?
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
}

/// A cache of strings for values that repeat in a list, such as authors and kinds.
struct InternedStrings {
  private struct Slot {
    var prefix: UInt64
    var string: String
  }

  private var slots: [Slot] = []
  private static let count = 256

  mutating func string(_ tape: JSONTape, _ index: Int) -> String {
    let bytes = tape.utf8(index)
    // Strings of up to 15 bytes are stored inline.
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

extension ItemMapper.Run {
  /// Returns a view of the value at a place.
  public func view(_ place: ItemMapper.Run.Place) -> JSONView {
    JSONView(document: document, index: index(of: place))
  }

  /// The mapper's ``ItemMapper/userInfo``.
  public var userInfo: [CodingUserInfoKey: any Sendable] { mapper.userInfo }

  /// Records why the value at a place can't be read, and returns `nil`.
  ///
  /// - Parameters:
  ///   - place: The place of the value.
  ///   - kind: The kind of mismatch.
  ///   - expected: The expected value, such as `a color such as #FF8800`.
  ///   - hint: Further help.
  public mutating func refuse<Value>(
    _ place: ItemMapper.Run.Place, _ kind: MappingReport.Issue.Kind = .unreadable, expected: String,
    hint: String? = nil
  ) -> Value? {
    refusal = Refusal(
      kind: kind, index: index(of: place), expected: expected, hint: hint, site: site)
    return nil
  }

  /// The rules for reading a scalar of the current field.
  var rules: CoercionRules {
    CoercionRules(
      isStrict: field?.options.isStrict ?? mapper.isStrict,
      takesBools: field?.options.takesBools ?? false)
  }

  /// Returns the scalar, and notes an issue if it was converted.
  mutating func take<Value>(
    _ coerced: Coerced<Value>, at place: ItemMapper.Run.Place, expected: @autoclosure () -> String
  ) -> Value? {
    switch coerced {
    case .exact(let value): return value
    case .converted(let value, let kind):
      note(kind, .used, at: index(of: place), expected: expected())
      return value
    case .failed(let kind): return refuse(place, kind, expected: expected())
    }
  }

  /// Clears the refusal of an empty value, which an optional reads as `nil`, and returns whether it
  /// did.
  mutating func forgivesEmptiness(_ place: ItemMapper.Run.Place) -> Bool {
    guard let refusal, refusal.kind == .empty, refusal.index == index(of: place),
      refusal.isAllowed || !rules.isStrict
    else { return false }
    self.refusal = nil
    return true
  }

  /// Returns whether an empty string or array is in place of a missing object, as some servers
  /// write it.
  func isEmptyInsteadOfObject(_ place: ItemMapper.Run.Place) -> Bool {
    guard field?.options.takesEmpty ?? mapper.emptyAsAbsent else { return false }
    return switch tag(place) {
    case JSONTape.Tag.string: tape.utf8(index(of: place)).isEmpty
    case JSONTape.Tag.array: tape.end(of: index(of: place)) == tape.first(in: index(of: place))
    default: false
    }
  }
}

/// Why a read returned `nil`.
struct Refusal {
  let kind: MappingReport.Issue.Kind
  let index: Int
  let expected: String
  /// The path of the missing value, relative to the place.
  var missing: JSONPath?
  let hint: String?
  let site: MappingSite
  /// Whether it was already reported at a deeper level.
  var isReported = false
  /// Whether the field accepts it as a missing value. It is then only reported if it causes a loss.
  var isAllowed = false
}

/// The document being read, with the item and the field it is read for.
struct MappingSite {
  let document: JSONDocument
  let surroundings: [JSONView]
  let plan: ItemPlan?
  let field: PlanField?
  let isHidden: Bool
}
