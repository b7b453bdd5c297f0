extension ItemMapper.Run {
  /// Stores a value. A value of the property's own type is stored directly; the field's own code
  /// reads all others.
  @inline(__always)
  mutating func carryOut(
    _ step: UnsafePointer<PlanStep>, with value: Int, into base: UnsafeMutableRawPointer
  ) {
    let tag = tape.tag(value)
    let place = base + step.pointee.offset
    switch step.pointee.operation {
    case .int where tag == JSONTape.Tag.int:
      place.storeBytes(of: tape.int(value), as: Int64.self)
    case .optionalInt where tag == JSONTape.Tag.int:
      place.storeBytes(of: tape.int(value), as: Int64?.self)
    case .optionalInt where tag == JSONTape.Tag.null:
      place.storeBytes(of: nil, as: Int64?.self)
    case .double where tag == JSONTape.Tag.double:
      place.storeBytes(of: tape.double(value), as: Double.self)
    case .optionalDouble where tag == JSONTape.Tag.double:
      place.storeBytes(of: tape.double(value), as: Double?.self)
    case .optionalDouble where tag == JSONTape.Tag.null:
      place.storeBytes(of: nil, as: Double?.self)
    case .bool where tag == JSONTape.Tag.yes || tag == JSONTape.Tag.no:
      place.storeBytes(of: tag == JSONTape.Tag.yes, as: Bool.self)
    case .optionalBool where tag == JSONTape.Tag.yes || tag == JSONTape.Tag.no:
      place.storeBytes(of: tag == JSONTape.Tag.yes, as: Bool?.self)
    case .optionalBool where tag == JSONTape.Tag.null:
      place.storeBytes(of: nil, as: Bool?.self)
    case .string where tag == JSONTape.Tag.string:
      place.assumingMemoryBound(to: String.self).pointee = tape.string(value)
    case .optionalString where tag == JSONTape.Tag.string:
      place.assumingMemoryBound(to: String?.self).pointee = tape.string(value)
    case .optionalString where tag == JSONTape.Tag.null:
      place.assumingMemoryBound(to: String?.self).pointee = nil
    case .candidate:
      if let candidates, candidates[step.pointee.slot] == 0 {
        candidates[step.pointee.slot] = value
      }
    default: carryOutContainer(step, tag, with: value, into: base)
    }
  }

  /// Stores arrays and objects, in a function of its own so that the one for scalars is small.
  @inline(never)
  private mutating func carryOutContainer(
    _ step: UnsafePointer<PlanStep>, _ tag: UInt8, with value: Int,
    into base: UnsafeMutableRawPointer
  ) {
    let place = base + step.pointee.offset
    switch step.pointee.operation {
    case .strings where tag == JSONTape.Tag.array:
      guard let strings = tape.strings(value) else { break }
      place.assumingMemoryBound(to: [String].self).pointee = strings
      return
    case .optionalStrings where tag == JSONTape.Tag.array:
      guard let strings = tape.strings(value) else { break }
      place.assumingMemoryBound(to: [String]?.self).pointee = strings
      return
    case .item where tag == JSONTape.Tag.object && !isUpdate:
      return storeItem(step, from: value, into: base)
    case .items where tag == JSONTape.Tag.array:
      return storeItems(step, from: value, into: base)
    default: break
    }
    carryOutSlowly(step, with: value, into: base)
  }

  /// Stores an item directly. A reference has the same size whatever its class, and whether or not
  /// it is optional.
  private mutating func storeItem(
    _ step: UnsafePointer<PlanStep>, from value: Int, into base: UnsafeMutableRawPointer
  ) {
    guard let type = step.pointee.itemType else { return }
    enter(step)
    if let item = item(of: type, at: ItemMapper.Run.Place(value, in: number)) {
      let place = base + step.pointee.offset
      let old = place.load(as: Unmanaged<BaseItem>?.self)
      place.storeBytes(of: Unmanaged.passRetained(item), as: Unmanaged<BaseItem>?.self)
      old?.release()
    } else {
      settleField(step, into: base)
    }
    leave(step)
  }

  /// Stores items directly. An array of references has the same size whatever their class.
  private mutating func storeItems(
    _ step: UnsafePointer<PlanStep>, from value: Int, into base: UnsafeMutableRawPointer
  ) {
    guard let type = step.pointee.itemType else { return }
    enter(step)
    if let items = items(type, in: ElementWalk(array: value, tape)) {
      (base + step.pointee.offset).assumingMemoryBound(to: [BaseItem]?.self).pointee = items
    } else {
      settleField(step, into: base)
    }
    leave(step)
  }

  /// Reads a value with the field's own code, and handles a failure.
  private mutating func carryOutSlowly(
    _ step: UnsafePointer<PlanStep>, with value: Int, into base: UnsafeMutableRawPointer
  ) {
    let row = step.pointee.field.row
    let place = ItemMapper.Run.Place(value, in: number)
    enter(step)
    refusal = nil
    if tape.tag(value) == JSONTape.Tag.null, !row.shape.acceptsNull {
      storeNothing(step, value, into: base)
    } else if !row.read(place, into: base, at: step.pointee.offset, in: &self) {
      explain(place)
      settleField(step, into: base)
    }
    leave(step)
  }

  private mutating func enter(_ step: UnsafePointer<PlanStep>) {
    fieldReference = step.pointee.reference
    if step.pointee.isSensitive { sensitiveDepth &+= 1 }
  }

  private mutating func leave(_ step: UnsafePointer<PlanStep>) {
    if step.pointee.isSensitive { sensitiveDepth &-= 1 }
  }

  /// Handles `null` for a property without such a value.
  private mutating func storeNothing(
    _ step: UnsafePointer<PlanStep>, _ value: Int, into base: UnsafeMutableRawPointer
  ) {
    let row = step.pointee.field.row
    if step.pointee.field.options.isRequired || rules.isStrict {
      refusal = Refusal(kind: .null, index: value, expected: row.typeName, hint: nil, site: site)
      settleField(step, into: base)
    } else if !row.storeDefault(into: base, at: step.pointee.offset), isUpdate, let plan {
      plan.reset(step.pointee.field, in: base)
    }
  }

  /// Handles a value that could not be read.
  private mutating func settleField(
    _ step: UnsafePointer<PlanStep>, into base: UnsafeMutableRawPointer
  ) {
    let options = step.pointee.field.options
    fieldReference = step.pointee.reference
    if options.isRequired || options.elements == .fail {
      markUnusable(settle(lossEffect))
    } else {
      let isDefaulted =
        !isUpdate && step.pointee.field.row.storeDefault(into: base, at: step.pointee.offset)
      settle(isDefaulted ? .defaulted : .kept, isLoss: false)
    }
  }
}

extension JSONTape {
  /// Returns the elements of an array if all of them are strings.
  func strings(_ array: Int) -> [String]? {
    let end = end(of: array)
    let first = first(in: array)
    // A string takes one word, so the number of words is the number of strings.
    for index in first..<end where tag(index) != Tag.string { return nil }
    var strings: [String] = []
    strings.reserveCapacity(end - first)
    for index in first..<end { strings.append(string(index)) }
    return strings
  }
}
