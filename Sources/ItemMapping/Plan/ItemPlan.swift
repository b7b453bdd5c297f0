internal import Support

/// All that has to be known to fill items of one type, worked out once.
///
/// A plan never changes, and one that is in use is never freed, so the hot path may refer to it without
/// counting references. `@unchecked Sendable` holds because `init` is the only writer of what the pointers lead
/// to.
final class ItemPlan: @unchecked Sendable {
  let name: String
  /// Makes an item; `nil` for a struct, whose memory belongs to whoever asks for it.
  let type: BaseItem.Type?
  let variants: ItemVariants?
  let fields: [PlanField]
  /// The members of the object, and below them those of the objects within.
  let root: UnsafePointer<PlanNode>
  /// The fields that may be at several places.
  let choices: UnsafeBufferPointer<PlanChoice>
  let candidateCount: Int
  /// What the pointers lead to.
  private let memory: PlanMemory
  /// Lends a new item with every property at its default.
  let withDefaults: @Sendable ((UnsafeMutableRawPointer) -> Void) -> Void
  /// The type and all its superclasses.
  let ancestry: Set<ObjectIdentifier>
  let problems: [TableInspection.Problem]

  init(_ compiler: borrowing PlanCompiler) {
    name = compiler.name
    type = compiler.type
    variants = compiler.variants
    fields = compiler.fields
    let trie = PlanTrie(compiler.fields)
    root = trie.root
    choices = trie.choices
    candidateCount = trie.candidateCount
    memory = trie.memory
    withDefaults = compiler.withDefaults
    ancestry = compiler.ancestry
    problems = compiler.problems
  }
}

/// A property, and how the plan reaches it.
final class PlanField: Sendable {
  /// The property's name, with that of the member where it reaches into a struct.
  let name: String
  let row: any FieldRow
  /// Where the property lies in an item; negative where it is reached through its key path.
  let offset: Int
  let options: FieldOptions
  /// The places the value may be at; the first one counts for writing.
  let paths: [JSONPath]

  init(name: String, row: any FieldRow, offset: Int, paths: [JSONPath]) {
    self.name = name
    self.row = row
    self.offset = offset
    self.options = row.options
    self.paths = paths
  }

  /// An offset that is none.
  static var viaKeyPath: Int { -1 }

  var isDirect: Bool { offset >= 0 }
}

extension ItemPlan {
  /// The plan of a class.
  static func of(
    _ type: BaseItem.Type, storesDirectly: Bool = ItemMapper.storesDirectlyByDefault
  ) -> ItemPlan {
    registered(ObjectIdentifier(type), storesDirectly) {
      ItemPlan(PlanCompiler(type, storesDirectly: $0))
    }
  }

  /// The plan of a struct.
  static func of<Value: ItemValue>(
    _ type: Value.Type, storesDirectly: Bool = ItemMapper.storesDirectlyByDefault
  ) -> ItemPlan {
    registered(ObjectIdentifier(type), storesDirectly) {
      ItemPlan(PlanCompiler(type, storesDirectly: $0))
    }
  }

  /// The plans made so far: those that store directly, and those that don't.
  private static let direct = Lock<[ObjectIdentifier: ItemPlan]>([:])
  private static let viaKeyPaths = Lock<[ObjectIdentifier: ItemPlan]>([:])

  private static func registered(
    _ type: ObjectIdentifier, _ storesDirectly: Bool, make: (_ storesDirectly: Bool) -> ItemPlan
  ) -> ItemPlan {
    storesDirectly
      ? registered(type, in: direct) { make(true) }
      : registered(type, in: viaKeyPaths) { make(false) }
  }

  /// A table is read without the lock, for it is somebody else's code. Of two plans made at once the
  /// first one stays.
  private static func registered(
    _ type: ObjectIdentifier, in plans: borrowing Lock<[ObjectIdentifier: ItemPlan]>,
    make: () -> ItemPlan
  ) -> ItemPlan {
    if let plan = plans.withLock({ $0[type] }) { return plan }
    let plan = make()
    plan.trapIfFaulty()
    return plans.withLock { plans in
      if let earlier = plans[type] { return earlier }
      plans[type] = plan
      return plan
    }
  }

  /// A wrong table is a mistake of the program and not of the server: while it is being debugged, the
  /// first use of the type tells all of them at once.
  private func trapIfFaulty() {
    let mistakes = problems.filter(\.isMistake)
    assert(
      mistakes.isEmpty,
      "The field table of \(name) is wrong:\n"
        + mistakes.map { "  - \($0)" }.joined(separator: "\n"))
  }
}
