/// The order in which a type reads the members of an object, with the names between them that it doesn't read.
///
/// Most objects of a list have the same names in the same order, and their type reads them in the same order; some are left
/// out in some objects. Then each name is compared with the expected one, and none is searched for. What is found so is the
/// first member with its name, which is the one that counts: all names before it are other names of the order.
final class ReadOrder {
  /// A name of an object, in the order of the text.
  struct Step {
    /// The key that the name is read with; `nil` if it isn't read. Mostly the same literal each time, so that to compare two
    /// takes no more than to compare two words.
    fileprivate let key: String?
    let name: KnownName
    fileprivate let isLast: Bool

    var isUnread: Bool { key == nil && !isLast }

    @inline(__always)
    func isRead(with key: String) -> Bool { self.key.map { $0 == key } ?? false }
  }

  /// A member that was read.
  struct Read {
    let key: String
    /// The index of its name.
    let name: Int
  }

  /// The steps, and a last one that matches no name.
  let steps: UnsafePointer<Step>
  private let buffer: UnsafeMutableBufferPointer<Step>
  private let memory = PlanMemory()

  /// Returns `nil` if no order follows from these reads: a name is there twice, or is not in ASCII, where equal names may
  /// have different bytes.
  init?(_ reads: [Read], of object: Int, _ tape: JSONTape) {
    guard let last = reads.last?.name else { return nil }
    let names = Self.names(from: tape.first(in: object), through: last, tape)
    let bytes = memory.keep(names.flatMap { tape.utf8($0) })
    var steps: [Step] = []
    steps.reserveCapacity(names.count + 1)
    var reads = reads[...]
    var start = 0
    for name in names {
      let isKnown = steps.contains { $0.name.matches(tape, name) }
      guard !isKnown, tape.isASCII(name) else { return nil }
      let end = start + tape.utf8(name).count
      let key = reads.first?.name == name ? reads.removeFirst().key : nil
      let known = KnownName(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      steps.append(Step(key: key, name: known, isLast: false))
      start = end
    }
    guard reads.isEmpty else { return nil }
    steps.append(Step(key: nil, name: .none, isLast: true))
    buffer = .allocate(capacity: steps.count)
    _ = buffer.initialize(from: steps)
    guard let first = buffer.baseAddress else { return nil }
    self.steps = UnsafePointer(first)
  }

  deinit {
    buffer.deinitialize()
    buffer.deallocate()
  }

  private static func names(from first: Int, through last: Int, _ tape: JSONTape) -> [Int] {
    var names: [Int] = []
    var name = first
    while name <= last {
      names.append(name)
      name = tape.after(name &+ 1)
    }
    return names
  }

  func has(_ step: UnsafePointer<Step>) -> Bool { steps <= step && step < steps + buffer.count }

  /// Returns what was read of an object whose names before an index are those of steps of this order.
  func reads(before end: Int, of object: Int, _ tape: JSONTape) -> [Read] {
    var reads: [Read] = []
    var name = tape.first(in: object)
    for step in buffer where name < end {
      guard step.name.matches(tape, name) else { continue }
      if let key = step.key { reads.append(Read(key: key, name: name)) }
      name = tape.after(name &+ 1)
    }
    return reads
  }
}
