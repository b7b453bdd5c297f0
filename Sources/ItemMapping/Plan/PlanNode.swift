/// What a plan knows of one object in the JSON: its members, in the order of the table.
///
/// Nodes, members and steps are plain memory; see ``PlanMemory``.
struct PlanNode {
  var members: UnsafeBufferPointer<PlanMember>
  /// Elements, where a path goes through an array.
  var elements: UnsafeBufferPointer<PlanElement>
  /// What takes the value itself.
  var steps: UnsafeBufferPointer<PlanStep>
  /// Whether anything has to be done when a member is missing.
  var isWatched: Bool
}

/// A member that somebody wants: its name, ready to be compared.
struct PlanMember {
  let prefix: UInt64
  let name: UnsafeBufferPointer<UInt8>
  let node: UnsafePointer<PlanNode>
  /// Whether there are members within it that somebody wants.
  let isParent: Bool

  @inline(__always)
  func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ prefix: UInt64) -> Bool {
    guard self.prefix == prefix, name.count == bytes.count else { return false }
    return name.count <= 8 || JSONKey.haveEqualEnds(name, bytes)
  }
}

/// An element that somebody wants.
struct PlanElement {
  let position: Int
  let node: UnsafePointer<PlanNode>
}

/// What to do with a value.
struct PlanStep {
  /// How the value is stored. All but ``other`` need an offset, and leave to ``other`` what is not
  /// of the very JSON type.
  enum Operation: UInt8 {
    case int, optionalInt
    case double, optionalDouble
    case bool, optionalBool
    case string, optionalString
    case strings, optionalStrings
    case item
    case items
    /// By the field's own code.
    case other
    /// One of several places a field may be at: noted first, decided when all are known.
    case candidate
  }

  let operation: Operation
  /// Where to note a candidate.
  let slot: Int
  let offset: Int
  let reference: Unmanaged<PlanField>
  let isSensitive: Bool
  let itemType: BaseItem.Type?
}

extension PlanStep {
  var field: PlanField { reference.takeUnretainedValue() }
}

/// A field that may be at several places.
struct PlanChoice {
  let firstSlot: Int
  let endOfSlots: Int
  let step: PlanStep

  var slots: Range<Int> { firstSlot..<endOfSlots }
}
