/// Merges the paths of all fields into a tree, so that each object is walked once, however many
/// fields read from it.
struct PlanTrie {
  let root: UnsafePointer<PlanNode>
  let choices: UnsafeBufferPointer<PlanChoice>
  let candidateCount: Int
  let memory = PlanMemory()

  fileprivate final class Branch {
    var members: [(key: JSONKey, branch: Branch)] = []
    var elements: [(position: Int, branch: Branch)] = []
    var steps: [PlanStep] = []

    func member(_ key: JSONKey) -> Branch {
      if let known = members.first(where: { $0.key == key }) { return known.branch }
      members.append((key, Branch()))
      return members[members.count - 1].branch
    }

    func element(_ position: Int) -> Branch {
      if let known = elements.first(where: { $0.position == position }) { return known.branch }
      elements.append((position, Branch()))
      return elements[elements.count - 1].branch
    }
  }

  init(_ fields: [PlanField]) {
    let trunk = Branch()
    var choices: [PlanChoice] = []
    var slots = 0
    for field in fields {
      let step = PlanStep(field)
      // A token of digits refers to two places, of which at most one exists.
      let isOnly = field.paths.count == 1 && !field.paths[0].isAmbiguous
      if !isOnly {
        choices.append(
          PlanChoice(firstSlot: slots, endOfSlots: slots + field.paths.count, step: step))
      }
      for path in field.paths {
        Self.add(isOnly ? step : step.noted(in: slots), path.steps[...], to: trunk)
        if !isOnly { slots += 1 }
      }
    }
    root = memory.freeze(trunk)
    self.choices = memory.keep(choices)
    candidateCount = slots
  }

  private static func add(_ step: PlanStep, _ path: ArraySlice<JSONPath.Step>, to branch: Branch) {
    guard let first = path.first else { return branch.steps.append(step) }
    // A token of digits is a name in an object and a position in an array.
    if let key = first.key { add(step, path.dropFirst(), to: branch.member(key)) }
    if let position = first.position { add(step, path.dropFirst(), to: branch.element(position)) }
  }
}

extension PlanMemory {
  fileprivate func freeze(_ branch: PlanTrie.Branch) -> UnsafePointer<PlanNode> {
    let members = branch.members.enumerated().map { place, member in
      let (key, node) = (member.key, freeze(member.branch))
      let isParent = !node.pointee.members.isEmpty || !node.pointee.elements.isEmpty
      let steps = node.pointee.steps
      return PlanMember(
        place: place, name: KnownName(keep(key.utf8)), node: node,
        step: isParent || steps.count != 1 ? nil : UnsafePointer(steps.baseAddress),
        isLast: place == branch.members.count - 1)
    }
    let elements = branch.elements.map {
      PlanElement(position: $0.position, node: freeze($0.branch))
    }
    let isWatched =
      branch.steps.contains(where: \.isWatched) || members.contains { $0.node.pointee.isWatched }
      || elements.contains { $0.node.pointee.isWatched }
    return keep(
      PlanNode(
        members: keep(members), bits: members.reduce(0) { $0 | PlanNode.bit($1.name.prefix) },
        elements: keep(elements), steps: keep(branch.steps), isWatched: isWatched))
  }
}

extension JSONPath {
  /// Whether a step may refer to an element as well as to a member.
  fileprivate var isAmbiguous: Bool {
    segments.contains { if case .token = $0 { true } else { false } }
  }
}

extension PlanStep {
  init(_ field: PlanField) {
    reference = .passUnretained(field)
    isSensitive = field.options.isSensitive
    offset = field.offset
    slot = 0
    var itemType: BaseItem.Type?
    var operation = Operation.other
    let isPlain = !field.row.hasConversion && !field.options.isJSONString
    if field.isDirect, isPlain {
      let acceptsNull = field.row.shape.acceptsNull
      switch field.row.shape.kind {
      case .int: operation = acceptsNull ? .optionalInt : .int
      case .double: operation = acceptsNull ? .optionalDouble : .double
      case .bool: operation = acceptsNull ? .optionalBool : .bool
      case .string where !field.options.isInterned:
        operation = acceptsNull ? .optionalString : .string
      case .strings where !field.options.isInterned:
        operation = acceptsNull ? .optionalStrings : .strings
      case .item(let type):
        operation = .item
        itemType = type
      case .items(let type):
        operation = .items
        itemType = type
      default: break
      }
    }
    self.operation = operation
    self.itemType = itemType
  }

  private init(candidate step: PlanStep, slot: Int) {
    operation = .candidate
    self.slot = slot
    offset = step.offset
    reference = step.reference
    isSensitive = step.isSensitive
    itemType = nil
  }

  func noted(in slot: Int) -> PlanStep { PlanStep(candidate: self, slot: slot) }

  /// Whether a missing value requires any action. Candidates are handled after all of them are
  /// known.
  var isWatched: Bool {
    operation != .candidate && (field.options.isRequired || field.row.hasDefault)
  }
}
