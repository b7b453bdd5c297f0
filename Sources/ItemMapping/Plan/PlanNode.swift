/// The members that a plan reads from one object, in the order of the table.
///
/// Nodes, members and steps are plain memory; see ``PlanMemory``.
struct PlanNode {
  var members: UnsafeBufferPointer<PlanMember>
  /// The union of all members' bits. A name with a bit outside it is no member.
  var bits: UInt64
  /// The elements to read, if a path leads through an array.
  var elements: UnsafeBufferPointer<PlanElement>
  /// The steps for the value itself.
  var steps: UnsafeBufferPointer<PlanStep>
  /// Whether a missing member requires any action.
  var isWatched: Bool

  /// Returns the bit of the names that begin with these bytes.
  static func bit(_ prefix: UInt64) -> UInt64 { 1 &<< ((prefix &* 0x9E37_79B9_7F4A_7C15) &>> 58) }

  /// Returns the member with the name at an index of the tape. Begins behind the one that was expected. Most names that
  /// are not in the table need no search.
  @inline(never)
  func member(
    named name: Int, _ tape: JSONTape, after expected: UnsafePointer<PlanMember>
  ) -> UnsafePointer<PlanMember>? {
    guard bits & Self.bit(tape.prefix(tape.utf8(name))) != 0, let first = members.baseAddress
    else { return nil }
    var member = expected
    for _ in 1..<members.count {
      member = member.pointee.isLast ? first : member + 1
      if member.pointee.name.matches(tape, name) { return member }
    }
    return nil
  }
}

/// A member to read.
struct PlanMember {
  let place: Int
  let name: KnownName
  let node: UnsafePointer<PlanNode>
  /// The only step for its value; `nil` if there are several, or if members or elements within it are to be read.
  let step: UnsafePointer<PlanStep>?
  let isLast: Bool
}

/// An element to read.
struct PlanElement {
  let position: Int
  let node: UnsafePointer<PlanNode>
}

/// What to do with a value.
struct PlanStep {
  /// How the value is stored. All but ``other`` need an offset, and fall back to ``other`` for
  /// values of another JSON type.
  enum Operation: UInt8 {
    case int, optionalInt
    case double, optionalDouble
    case bool, optionalBool
    case string, optionalString
    case strings, optionalStrings
    case item
    case items
    /// With the field's own code.
    case other
    /// One of several paths of a field: recorded first, decided when all are known.
    case candidate
  }

  let operation: Operation
  /// The slot in which a candidate is recorded.
  let slot: Int
  let offset: Int
  let reference: Unmanaged<PlanField>
  let isSensitive: Bool
  let itemType: BaseItem.Type?
}

extension PlanStep {
  var field: PlanField { reference.takeUnretainedValue() }
}

/// A field with several paths.
struct PlanChoice {
  let firstSlot: Int
  let endOfSlots: Int
  let step: PlanStep

  var slots: Range<Int> { firstSlot..<endOfSlots }
}

/// The memory of a plan's nodes, which are read for every value. It is written once and freed with
/// the plan; only plans that lost a race to another thread are ever freed.
final class PlanMemory {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  /// Copies elements into memory. Their type is trivial, so they need no cleanup.
  func keep<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    if let start = buffer.baseAddress { blocks.append(UnsafeMutableRawPointer(start)) }
    return UnsafeBufferPointer(buffer)
  }

  /// Copies one element into memory.
  func keep<Element: BitwiseCopyable>(_ element: Element) -> UnsafePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    pointer.initialize(to: element)
    blocks.append(UnsafeMutableRawPointer(pointer))
    return UnsafePointer(pointer)
  }
}
