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
  let variants: FieldTable.Variants?
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
  let problems: [FieldTable.Inspection.Problem]

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
    plan.stopIfFaulty()
    return plans.withLock { plans in
      if let earlier = plans[type] { return earlier }
      plans[type] = plan
      return plan
    }
  }
}

extension ItemPlan {
  /// Ends the process if the table is wrong, after a report of all mistakes. Only in a debug build:
  /// a release build ignores the wrong rows.
  private func stopIfFaulty() {
    // A debug build is one in which `assert` evaluates its argument.
    assert(
      {
        let mistakes = problems.filter(\.isMistake)
        if !mistakes.isEmpty {
          FaultyTable.stop(
            ["the field table of \(name) is invalid:"] + mistakes.map { "  - \($0)" })
        }
        return true
      }())
  }
}

/// The end of a program with a wrong table.
private enum FaultyTable {
  /// Whether a thread is ending the process.
  private static let isStopping = Lock(false)

  /// Writes lines to standard error and ends the process.
  ///
  /// The lines say what to correct. A trap would add a backtrace, which is pages long and shows only
  /// where the type was first used.
  static func stop(_ lines: [String]) -> Never {
    let isFirst = isStopping.withLock { isStopping in
      defer { isStopping = true }
      return !isStopping
    }
    // Two threads must not run the handlers of an exit.
    while !isFirst { pause() }
    let text = lines.map { $0 + "\n" }.joined()
    var rest = ArraySlice(text.utf8)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest.removeFirst(count)
    }
    // With the handlers of an exit: one of them restores the terminal if a list is shown in it.
    exit(EXIT_FAILURE)
  }
}

/// Writing, copying, comparing and describing items by the same table.
extension ItemPlan {
  /// Returns the mapped properties as an object, each at the first of its paths.
  func write(_ base: UnsafeMutableRawPointer, for purpose: JSONAny.Style.Purpose) -> JSONAny.Object {
    var result = JSONAny.object(JSONAny.Object())
    for field in fields {
      let isHidden = purpose == .describing && field.options.isSensitive
      guard
        let value = isHidden
          ? "hidden" : field.row.write(base, at: field.offset, for: purpose),
        let path = field.paths.first
      else { continue }
      result.set(value, at: path.segments[...], replacing: true)
    }
    return result.object ?? JSONAny.Object()
  }

  /// Copies the mapped values.
  func copyFields(from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
    for field in fields { field.row.copy(from: source, to: target, at: field.offset) }
  }

  /// Sets a property to its value in a new item.
  func reset(_ field: PlanField, in base: UnsafeMutableRawPointer) {
    withDefaults { field.row.copy(from: $0, to: base, at: field.offset) }
  }

  /// Returns whether the mapped values are equivalent.
  func areEqual(_ a: UnsafeMutableRawPointer, _ b: UnsafeMutableRawPointer) -> Bool {
    fields.allSatisfy { $0.row.areSame(a, b, at: $0.offset) }
  }

  /// Returns the type's name and the mapped values on one line.
  func description(of base: UnsafeMutableRawPointer) -> String {
    let values = fields.map { field in
      if field.options.isSensitive { return "\(field.name): hidden" }
      let text = field.row.write(base, at: field.offset, for: .describing)?.text() ?? "nil"
      return "\(field.name): \(Excerpt.cut(text))"
    }
    return "\(name)(\(values.joined(separator: ", ")))"
  }
}
