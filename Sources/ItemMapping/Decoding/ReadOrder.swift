/// The order in which a type reads the members of an object, with the names between them that it doesn't read.
///
/// Most objects of a list have the same names in the same order, and their type reads them in the same order; some are left
/// out in some objects. Then each name is compared with the expected one, and none is searched for. What is found so is the
/// first member with its name, which is the one that counts: all names before it are other names of the order.
final class ReadOrder {
  /// A name of an object, in the order of the text.
  struct Step {
    /// The two words of the key's string. (0, 0) stands for a name that isn't read, and (0, 1) for the end; no string has
    /// these words.
    fileprivate let key: (UInt64, UInt64)
    let name: KnownName

    var isUnread: Bool { key == (0, 0) }

    /// Returns whether the name is read with this key. Equal strings may have different words; they are compared in a
    /// search then.
    @inline(__always)
    func isRead(with key: String) -> Bool { self.key == ReadOrder.words(key) }
  }

  /// A member that was read.
  struct Read {
    let key: String
    /// The index of its name.
    let name: Int
  }

  /// The steps, and a last one that matches no name.
  let steps: UnsafeBufferPointer<Step>
  /// The keys, in the order of the text. As long as they are kept, no other string gets the words of one of them.
  private let keys: [String]
  private let memory = PlanMemory()

  /// Returns `nil` if no order follows from these reads: a name is there twice, or is not in ASCII, where equal names may
  /// have different bytes.
  init?(_ reads: [Read], of object: Int, _ tape: JSONTape) {
    guard let last = reads.last?.name else { return nil }
    let names = Self.names(from: tape.first(in: object), through: last, tape)
    let bytes = memory.keep(names.flatMap { tape.utf8($0) })
    var steps: [Step] = []
    var keys: [String] = []
    steps.reserveCapacity(names.count + 1)
    keys.reserveCapacity(reads.count)
    var start = 0
    for name in names {
      let isKnown = steps.contains { $0.name.matches(tape, name) }
      guard !isKnown, tape.isASCII(name) else { return nil }
      let end = start + tape.utf8(name).count
      var key = (UInt64(0), UInt64(0))
      if keys.count < reads.count, reads[keys.count].name == name {
        key = Self.words(reads[keys.count].key)
        keys.append(reads[keys.count].key)
      }
      steps.append(
        Step(key: key, name: KnownName(UnsafeBufferPointer(rebasing: bytes[start..<end]))))
      start = end
    }
    steps.append(Step(key: (0, 1), name: .none))
    guard keys.count == reads.count else { return nil }
    self.steps = memory.keep(steps)
    self.keys = keys
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

  @inline(__always)
  fileprivate static func words(_ key: String) -> (UInt64, UInt64) {
    unsafeBitCast(key, to: (UInt64, UInt64).self)
  }

  func has(_ step: UnsafePointer<Step>) -> Bool {
    steps.baseAddress.map { $0 <= step && step < $0 + steps.count } ?? false
  }

  /// Returns what was read of an object whose names before an index are those of steps of this order.
  func reads(before end: Int, of object: Int, _ tape: JSONTape) -> [Read] {
    var reads: [Read] = []
    var read = 0
    var name = tape.first(in: object)
    for step in steps where name < end {
      let isThere = step.name.matches(tape, name)
      if !step.isUnread {
        if isThere { reads.append(Read(key: keys[read], name: name)) }
        read += 1
      }
      if isThere { name = tape.after(name &+ 1) }
    }
    return reads
  }
}
