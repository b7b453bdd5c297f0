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

/// Memory for what a plan looks at for every value. It is written once and freed with the plan, which
/// happens to those only that another thread was faster to make.
final class PlanMemory {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  /// Puts elements into memory. There is nothing to do when they go.
  func keep<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    if let start = buffer.baseAddress { blocks.append(UnsafeMutableRawPointer(start)) }
    return UnsafeBufferPointer(buffer)
  }

  /// Puts one element into memory.
  func keep<Element: BitwiseCopyable>(_ element: Element) -> UnsafePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    pointer.initialize(to: element)
    blocks.append(UnsafeMutableRawPointer(pointer))
    return UnsafePointer(pointer)
  }
}
