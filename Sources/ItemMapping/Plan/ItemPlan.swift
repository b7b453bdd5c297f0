internal import Support

/// The precomputed instructions for filling items of one type.
///
/// A plan never changes, and one that is in use is never freed, so the hot path refers to it
/// without counting references. `@unchecked Sendable` holds because only `init` writes to the
/// memory behind the pointers.
final class ItemPlan: @unchecked Sendable {
  let name: String
  /// The class to create items of; `nil` for a struct, whose memory belongs to the caller.
  let type: BaseItem.Type?
  let variants: ItemVariants?
  let fields: [PlanField]
  /// The object's node, and below it the nodes of its members.
  let root: UnsafePointer<PlanNode>
  /// The fields with more than one path.
  let choices: UnsafeBufferPointer<PlanChoice>
  let candidateCount: Int
  /// The memory behind the pointers.
  private let memory: PlanMemory
  /// Calls its argument with a new item that has every property at its default.
  let withDefaults: @Sendable ((UnsafeMutableRawPointer) -> Void) -> Void
  /// The type and all of its superclasses.
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

/// A mapped property, with the way to access it.
final class PlanField: Sendable {
  /// The property's name, followed by the member's name if it is in a struct.
  let name: String
  let row: any FieldRow
  /// The property's offset in an item; negative if it is accessed through its key path.
  let offset: Int
  let options: FieldOptions
  /// The paths of the value. The first one is used for writing.
  let paths: [JSONPath]

  init(name: String, row: any FieldRow, offset: Int, paths: [JSONPath]) {
    self.name = name
    self.row = row
    self.offset = offset
    self.options = row.options
    self.paths = paths
  }

  /// The offset of a property that is accessed through its key path.
  static var viaKeyPath: Int { -1 }

  var isDirect: Bool { offset >= 0 }
}

extension ItemPlan {
  /// Returns the plan of a class.
  static func of(
    _ type: BaseItem.Type, storesDirectly: Bool = ItemMapper.storesDirectlyByDefault
  ) -> ItemPlan {
    registered(ObjectIdentifier(type), storesDirectly) {
      ItemPlan(PlanCompiler(type, storesDirectly: $0))
    }
  }

  /// Returns the plan of a struct.
  static func of<Value: ItemValue>(
    _ type: Value.Type, storesDirectly: Bool = ItemMapper.storesDirectlyByDefault
  ) -> ItemPlan {
    registered(ObjectIdentifier(type), storesDirectly) {
      ItemPlan(PlanCompiler(type, storesDirectly: $0))
    }
  }

  /// The plans made so far, with direct stores and without.
  private static let direct = Lock<[ObjectIdentifier: ItemPlan]>([:])
  private static let viaKeyPaths = Lock<[ObjectIdentifier: ItemPlan]>([:])

  private static func registered(
    _ type: ObjectIdentifier, _ storesDirectly: Bool, make: (_ storesDirectly: Bool) -> ItemPlan
  ) -> ItemPlan {
    storesDirectly
      ? registered(type, in: direct) { make(true) }
      : registered(type, in: viaKeyPaths) { make(false) }
  }

  /// A table is read without the lock, because it is the program's code. If two threads make the
  /// same plan, the first one is kept.
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

  /// A wrong table is a programming error, not the server's. In a debug build, the first use of the
  /// type reports all mistakes at once.
  private func trapIfFaulty() {
    let mistakes = problems.filter(\.isMistake)
    assert(
      mistakes.isEmpty,
      "The field table of \(name) is invalid:\n"
        + mistakes.map { "  - \($0)" }.joined(separator: "\n"))
  }
}
