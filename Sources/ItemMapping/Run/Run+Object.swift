extension ItemMapper.Run {
  /// Fills an item from an object. Returns whether the item is usable, that is, has all required
  /// values.
  mutating func fill(
    _ base: UnsafeMutableRawPointer, by plan: Unmanaged<ItemPlan>, isNew: Bool, from index: Int
  ) -> Bool {
    let outer = (planReference, fieldReference, itemIndex, isUnusable, isUpdate)
    // Copied only if there is one: most items lose nothing.
    if isUnusable { saveLoss() }
    planReference = plan
    itemIndex = index
    isUnusable = false
    if isNew { isUpdate = false }
    depth &+= 1
    plan._withUnsafeGuaranteedRef { plan in
      if plan.candidateCount == 0 {
        walk(plan.root, from: index, into: base)
      } else {
        walkAndChoose(plan, from: index, into: base)
      }
    }
    let isUsable = !isUnusable
    depth &-= 1
    if !isUsable { refuseForLoss() }
    (planReference, fieldReference, itemIndex, isUnusable, isUpdate) = outer
    if isUnusable { restoreLoss() }
    return isUsable
  }

  // Functions of their own, so that their stack isn't used at each level of nesting.
  @inline(never)
  private mutating func saveLoss() { outerLosses.append(loss) }

  @inline(never)
  private mutating func restoreLoss() { loss = outerLosses.removeLast() }

  @inline(never)
  private mutating func refuseForLoss() {
    // It was reported when it was found.
    refusal = loss
    refusal?.isReported = true
  }

  /// Passes each value to the steps that read it.
  private mutating func walk(
    _ node: UnsafePointer<PlanNode>, from index: Int, into base: UnsafeMutableRawPointer
  ) {
    carryOutSteps(of: node, with: index, into: base)
    if tape.tag(index) == JSONTape.Tag.object {
      if node.pointee.isWatched { missingElements(of: node, into: base) }
      let count = node.pointee.members.count
      if count == 0 { return }
      if count <= 64 {
        let found = walkMembers(of: node, from: index, into: base, FewMembers())
        if node.pointee.isWatched { missingMembers(of: node, except: found, into: base) }
      } else {
        walkManyMembers(of: node, from: index, into: base)
      }
    } else if isUpdate, tape.tag(index) == JSONTape.Tag.null {
      clear(below: node, with: index, into: base)
    } else {
      if node.pointee.isWatched {
        for member in node.pointee.members { missing(member.node, into: base) }
      }
      walkElements(of: node, from: index, into: base)
    }
  }

  private mutating func walkElements(
    of node: UnsafePointer<PlanNode>, from index: Int, into base: UnsafeMutableRawPointer
  ) {
    let isArray = tape.tag(index) == JSONTape.Tag.array
    for element in node.pointee.elements {
      if isArray, let value = tape.element(element.position, of: index) {
        walk(element.node, from: value, into: base)
      } else {
        missing(element.node, into: base)
      }
    }
  }

  /// Applies `null` to all values below it: a server that writes `null` for an object means all of
  /// its members.
  private mutating func clear(
    below node: UnsafePointer<PlanNode>, with null: Int, into base: UnsafeMutableRawPointer
  ) {
    for member in node.pointee.members {
      carryOutSteps(of: member.node, with: null, into: base)
      clear(below: member.node, with: null, into: base)
    }
    for element in node.pointee.elements {
      carryOutSteps(of: element.node, with: null, into: base)
      clear(below: element.node, with: null, into: base)
    }
  }

  /// Members are mostly in the order of the table, so each is expected after the one that was found last. Returns which
  /// were found.
  @inline(__always)
  private mutating func walkMembers<Found: MemberSet>(
    of node: UnsafePointer<PlanNode>, from index: Int, into base: UnsafeMutableRawPointer,
    _ none: Found
  ) -> Found {
    guard let first = node.pointee.members.baseAddress else { return none }
    let tape = tape
    let end = tape.end(of: index)
    var found = none
    var expected = first
    var name = tape.first(in: index)
    while name < end {
      let value = name &+ 1
      if let member = expected.pointee.name.matches(tape, name)
        ? expected : node.pointee.member(named: name, tape, after: expected)
      {
        expected = member.pointee.isLast ? first : member + 1
        // The first member with a name wins.
        if found.insert(member.pointee.place) { take(member, value, into: base) }
      }
      name = tape.after(value)
    }
    return found
  }

  /// Walks the members of a node that has more of them than a word has bits.
  @inline(never)
  private mutating func walkManyMembers(
    of node: UnsafePointer<PlanNode>, from index: Int, into base: UnsafeMutableRawPointer
  ) {
    let members = node.pointee.members
    withUnsafeTemporaryAllocation(of: Bool.self, capacity: members.count) { flags in
      flags.initialize(repeating: false)
      _ = walkMembers(of: node, from: index, into: base, ManyMembers(flags: flags))
      guard node.pointee.isWatched else { return }
      for place in members.indices where !flags[place] { missing(members[place].node, into: base) }
    }
  }

  @inline(__always)
  private mutating func take(
    _ member: UnsafePointer<PlanMember>, _ value: Int, into base: UnsafeMutableRawPointer
  ) {
    if let step = member.pointee.step {
      carryOut(step, with: value, into: base)
    } else {
      walk(member.pointee.node, from: value, into: base)
    }
  }

  @inline(__always)
  private mutating func carryOutSteps(
    of node: UnsafePointer<PlanNode>, with value: Int, into base: UnsafeMutableRawPointer
  ) {
    guard var step = node.pointee.steps.baseAddress else { return }
    let end = step + node.pointee.steps.count
    while step < end {
      carryOut(step, with: value, into: base)
      step += 1
    }
  }

  private mutating func walkAndChoose(
    _ plan: ItemPlan, from index: Int, into base: UnsafeMutableRawPointer
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: plan.candidateCount) { slots in
      slots.initialize(repeating: 0)
      let outer = candidates
      candidates = slots.baseAddress
      walk(plan.root, from: index, into: base)
      for choice in plan.choices.indices {
        carryOut(plan.choices, choice, among: slots, into: base)
      }
      candidates = outer
    }
  }

  private mutating func carryOut(
    _ choices: UnsafeBufferPointer<PlanChoice>, _ place: Int,
    among slots: UnsafeMutableBufferPointer<Int>, into base: UnsafeMutableRawPointer
  ) {
    if let value = Self.chosen(choices[place].slots, among: slots, tape) {
      withUnsafePointer(to: choices[place].step) { carryOut($0, with: value, into: base) }
    } else {
      missing(choices[place].step, into: base)
    }
  }

  /// Returns the first value found that isn't `null`, or else the first one found.
  @inline(never)
  private static func chosen(
    _ range: Range<Int>, among slots: UnsafeMutableBufferPointer<Int>, _ tape: JSONTape
  ) -> Int? {
    let found = slots[range]
    let value = found.first { $0 != 0 && tape.tag($0) != JSONTape.Tag.null }
    return value ?? found.first { $0 != 0 }
  }

  /// Handles the fields below a missing value.
  private mutating func missing(
    _ node: UnsafePointer<PlanNode>, into base: UnsafeMutableRawPointer
  ) {
    guard node.pointee.isWatched else { return }
    for step in node.pointee.steps where step.isWatched { missing(step, into: base) }
    for member in node.pointee.members { missing(member.node, into: base) }
    for element in node.pointee.elements { missing(element.node, into: base) }
  }

  /// Handles the fields below the members that were not found.
  @inline(__always)
  private mutating func missingMembers(
    of node: UnsafePointer<PlanNode>, except found: FewMembers, into base: UnsafeMutableRawPointer
  ) {
    let members = node.pointee.members
    var missed = ~found.bits & (.max >> UInt64(64 - members.count))
    while missed != 0 {
      missing(members[missed.trailingZeroBitCount].node, into: base)
      missed &= missed &- 1
    }
  }

  private mutating func missingElements(
    of node: UnsafePointer<PlanNode>, into base: UnsafeMutableRawPointer
  ) {
    for element in node.pointee.elements { missing(element.node, into: base) }
  }

  private mutating func missing(_ step: PlanStep, into base: UnsafeMutableRawPointer) {
    if isUpdate { return }
    let path = step.field.paths.first ?? .root
    if step.field.options.isRequired {
      fieldReference = step.reference
      let refusal = Refusal(
        kind: .missing, index: itemIndex, expected: step.field.row.typeName, missing: path,
        hint: nil, site: site)
      report(refusal, .dropped)
      markUnusable(refusal)
    } else {
      _ = step.field.row.storeDefault(into: base, at: step.offset)
    }
  }
}

/// The members of a node that were found.
private protocol MemberSet {
  /// Adds the member at this place, and returns whether it is new.
  mutating func insert(_ place: Int) -> Bool
}

/// A set of up to 64 members.
private struct FewMembers: MemberSet {
  var bits: UInt64 = 0

  @inline(__always)
  mutating func insert(_ place: Int) -> Bool {
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place)
    if bits & bit != 0 { return false }
    bits |= bit
    return true
  }
}

/// A set of any number of members.
private struct ManyMembers: MemberSet {
  let flags: UnsafeMutableBufferPointer<Bool>

  @inline(__always)
  mutating func insert(_ place: Int) -> Bool {
    if flags[place] { return false }
    flags[place] = true
    return true
  }
}
