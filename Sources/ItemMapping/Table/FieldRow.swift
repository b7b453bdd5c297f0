/// One row of a field table, with the types of its item and its property erased.
///
/// `base` is the address of an item: of the object, or of the struct. `offset` is the property's
/// offset in it, or ``PlanField/viaKeyPath`` when the property is only accessible through its key
/// path.
protocol FieldRow: AnyObject, Sendable {
  var options: FieldOptions { get }
  var shape: ValueShape { get }
  /// The property's type in Swift's short form: `URL?`.
  var typeName: String { get }
  /// Whether the field has its own code to read the JSON.
  var hasConversion: Bool { get }
  /// Whether the field declares a default for missing values.
  var hasDefault: Bool { get }
  /// The key path's description: `\Book.title` when the property is stored and its name is visible.
  var keyPathText: String { get }

  /// Reads a value, stores it, and returns whether that succeeded.
  func read(
    _ place: ItemMapper.Run.Place, into base: UnsafeMutableRawPointer, at offset: Int,
    in run: inout ItemMapper.Run
  ) -> Bool
  /// Stores the field's own default and returns whether it has one.
  func storeDefault(into base: UnsafeMutableRawPointer, at offset: Int) -> Bool
  /// Returns the value as JSON.
  func write(
    _ base: UnsafeMutableRawPointer, at offset: Int, for purpose: JSONAny.Style.Purpose
  ) -> JSONAny?
  /// Returns whether the values of two items are equivalent.
  func areSame(
    _ a: UnsafeMutableRawPointer, _ b: UnsafeMutableRawPointer, at offset: Int
  ) -> Bool
  /// Copies the value from one item to another.
  func copy(
    from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, at offset: Int)
  /// Returns the property's offset in memory, or `nil` when it can't be proven.
  func offset(in prototypes: Prototypes) -> Int?
  /// Stores a probe that differs from the current value, if there is one, and calls `look` to see
  /// what changed.
  func withProbe(in base: UnsafeMutableRawPointer, _ look: () -> Void)
}

/// An optional that reads and stores a value. In generic code elsewhere, the runtime would look for the type of the optional
/// that a read returns, which takes longer than to read most values.
protocol StoredRead: SendableMetatype {
  /// Reads a new optional, stores it, and returns whether that succeeded.
  static func store(
    _ place: ItemMapper.Run.Place, into memory: UnsafeMutableRawPointer,
    in run: inout ItemMapper.Run
  ) -> Bool
  /// Reads a new value of the wrapped type, stores it, and returns whether that succeeded.
  static func storeWrapped(
    _ place: ItemMapper.Run.Place, into memory: UnsafeMutableRawPointer,
    in run: inout ItemMapper.Run
  ) -> Bool
}

/// A row with a typed key path.
final class KeyPathRow<Root: JSONValue, Value: JSONValue>: FieldRow {
  private let keyPath: any WritableKeyPath<Root, Value> & Sendable
  private let initial: (@Sendable () -> Value)?
  private let conversion: FieldTable.Rule<Value>.Conversion?
  let options: FieldOptions
  let shape: ValueShape
  /// The value's type if it is an optional, and otherwise the optional around it; `nil` if the field has its own way to read.
  private let optional: (any StoredRead.Type)?
  private let isOptional: Bool

  /// - Parameter dates: The formats of dates in a field without formats of its own.
  init(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ rules: [FieldTable.Rule<Value>],
    dates: [DateFormat]?
  ) {
    self.keyPath = keyPath
    var options = FieldOptions()
    options.dates = dates
    var initial: (@Sendable () -> Value)?
    var conversion: FieldTable.Rule<Value>.Conversion?
    for rule in rules {
      switch rule.content {
      case .options(let change): change(&options)
      case .initial(let value): initial = value
      case .conversion(let own): conversion = own
      }
    }
    self.options = options
    self.initial = initial
    self.conversion = conversion
    shape = ValueShape(of: Value.self)
    let own = (Value.self as Any.Type) as? any StoredRead.Type
    isOptional = own != nil
    optional = conversion == nil && !options.isJSONString ? own ?? Value?.self : nil
  }

  var typeName: String { TypeName.text(Value.self) }
  var hasConversion: Bool { conversion != nil }
  var hasDefault: Bool { initial != nil }
  var keyPathText: String { keyPath.debugDescription }

  func read(
    _ place: ItemMapper.Run.Place, into base: UnsafeMutableRawPointer, at offset: Int,
    in run: inout ItemMapper.Run
  ) -> Bool {
    if let optional, offset >= 0, !run.isUpdate {
      return isOptional
        ? optional.store(place, into: base + offset, in: &run)
        : optional.storeWrapped(place, into: base + offset, in: &run)
    }
    return readAndStore(place, into: base, at: offset, in: &run)
  }

  /// A function of its own, because the type of an optional `Value` is looked for when it begins.
  @inline(never)
  private func readAndStore(
    _ place: ItemMapper.Run.Place, into base: UnsafeMutableRawPointer, at offset: Int,
    in run: inout ItemMapper.Run
  ) -> Bool {
    // An item within this value re-enters this method, so the rarer rules are kept off its stack
    // frame.
    guard let value = value(at: place, updating: base, at: offset, in: &run) else { return false }
    store(consume value, into: base, at: offset)
    return true
  }

  private func value(
    at place: ItemMapper.Run.Place, updating base: UnsafeMutableRawPointer, at offset: Int,
    in run: inout ItemMapper.Run
  ) -> Value? {
    if conversion != nil || options.isJSONString { return specialValue(at: place, in: &run) }
    return run.isUpdate
      ? Value.updated(load(base, at: offset), from: place, in: &run) : Value.read(place, in: &run)
  }

  private func specialValue(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Value? {
    let tag = run.tag(place)
    if let conversion, tag != JSONTape.Tag.null {
      do {
        return try conversion.read(run.view(place))
      } catch {
        return run.refuse(place, .rejected, expected: typeName, hint: "\(error)")
      }
    }
    if options.isJSONString, tag == JSONTape.Tag.string {
      do throws(JSONError) {
        let inner = try JSONDocument(run.tape.utf8(run.index(of: place)))
        return run.within(inner, at: place) { Value.read($0.place(JSONTape.root), in: &$0) }
      } catch {
        return run.refuse(place, .unreadable, expected: "JSON within a string", hint: "\(error)")
      }
    }
    return Value.read(place, in: &run)
  }

  func storeDefault(into base: UnsafeMutableRawPointer, at offset: Int) -> Bool {
    guard let initial else { return false }
    store(initial(), into: base, at: offset)
    return true
  }

  func write(
    _ base: UnsafeMutableRawPointer, at offset: Int, for purpose: JSONAny.Style.Purpose
  ) -> JSONAny? {
    let value = load(base, at: offset)
    if let write = conversion?.write { return write(value) }
    let json = value.write(
      as: JSONAny.Style(date: options.dates?.first ?? .rfc3339, purpose: purpose))
    return options.isJSONString ? json.map { .string($0.text()) } : json
  }

  func areSame(
    _ a: UnsafeMutableRawPointer, _ b: UnsafeMutableRawPointer, at offset: Int
  ) -> Bool {
    load(a, at: offset).isSame(as: load(b, at: offset))
  }

  func copy(
    from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, at offset: Int
  ) {
    store(load(source, at: offset).copied(), into: target, at: offset)
  }

  private func load(_ base: UnsafeMutableRawPointer, at offset: Int) -> Value {
    offset >= 0
      ? (base + offset).assumingMemoryBound(to: Value.self).pointee
      : ItemMemory<Root>.withRoot(at: base) { $0[keyPath: keyPath] }
  }

  private func store(
    _ value: consuming Value, into base: UnsafeMutableRawPointer, at offset: Int
  ) {
    if offset >= 0 {
      (base + offset).assumingMemoryBound(to: Value.self).pointee = value
    } else {
      storeViaKeyPath(value, into: base)
    }
  }

  private func storeViaKeyPath(_ value: Value, into base: UnsafeMutableRawPointer) {
    ItemMemory<Root>.withRoot(at: base) { $0[keyPath: keyPath] = value }
  }
}

extension KeyPathRow {
  /// Swift gives the layout of a struct, but not of an object, so an object's is proven: the
  /// property's address must be inside the object's own memory, at the same offset in two objects,
  /// and a write to it must be visible through the key path. A temporary value, such as that of a
  /// computed or observed property, is never inside a living object.
  ///
  /// A computed property may forward to another object in other items, even if it forwards to the
  /// item itself in these two.
  func offset(in prototypes: Prototypes) -> Int? {
    guard case .objects(let first, let second) = prototypes else {
      return MemoryLayout<Root>.offset(of: keyPath)
    }
    if keyPathText.contains("<computed") { return nil }
    guard let offset = distance(in: first), offset == distance(in: second),
      offset >= ItemMemory<Root>.header, offset % MemoryLayout<Value>.alignment == 0,
      offset + MemoryLayout<Value>.size <= ItemMemory<Root>.size(of: first)
    else { return nil }
    return isSeen(at: offset, in: first) ? offset : nil
  }

  private func distance(in object: BaseItem) -> Int? {
    ItemMemory<Root>.withRoot(at: object.address) { root in
      withUnsafeMutablePointer(to: &root[keyPath: keyPath]) {
        UnsafeMutableRawPointer($0) - object.address
      }
    }
  }

  /// Returns whether a direct store is visible through the key path. Without a value to try that with, it isn't proven.
  private func isSeen(at offset: Int, in object: BaseItem) -> Bool {
    let old = load(object.address, at: PlanField.viaKeyPath)
    guard let probe = Probe.value(otherThan: old) else { return false }
    store(probe, into: object.address, at: offset)
    let seen = StoredProperties.fingerprint(load(object.address, at: PlanField.viaKeyPath))
    store(old, into: object.address, at: offset)
    return seen == StoredProperties.fingerprint(probe)
  }

  func withProbe(in base: UnsafeMutableRawPointer, _ look: () -> Void) {
    guard let probe = Probe.value(otherThan: load(base, at: PlanField.viaKeyPath)) else { return }
    store(probe, into: base, at: PlanField.viaKeyPath)
    // A weak property holds the probe no longer than this.
    withExtendedLifetime(probe, look)
  }
}
