/// The order in which a type reads the members of an object, with the names between them that it doesn't read.
///
/// Most objects of a list have the same names in the same order, and their type reads them in the same order. As long as
/// both hold, each name is compared with the expected one, and none is searched for. The first member with a name wins,
/// and a member found so is the first one: the names before it are names of the order, which are all different. Both may
/// leave out some.
final class ReadOrder {
  /// A name of an object, in the order of the text.
  struct Step {
    /// The two words of the key's string. No string has those for a name that isn't read, 0 and 0, and for the end, 0
    /// and 1.
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

  /// Returns `nil` if no order follows from these reads: a name is there twice, or is not in ASCII, in which equal names
  /// may have different bytes.
  init?(_ reads: [Read], of object: Int, _ tape: JSONTape) {
    guard let last = reads.last?.name else { return nil }
    var steps: [Step] = []
    var keys: [String] = []
    var known: Set<[UInt8]> = []
    var name = tape.first(in: object)
    while name <= last {
      let bytes = Array(tape.utf8(name))
      guard tape.isASCII(name), known.insert(bytes).inserted else { return nil }
      let key =
        keys.count < reads.count && reads[keys.count].name == name ? reads[keys.count].key : nil
      if let key { keys.append(key) }
      steps.append(Step(key: key.map(Self.words) ?? (0, 0), name: KnownName(memory.keep(bytes))))
      name = tape.after(name &+ 1)
    }
    steps.append(Step(key: (0, 1), name: .none))
    guard keys.count == reads.count else { return nil }
    self.steps = memory.keep(steps)
    self.keys = keys
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
