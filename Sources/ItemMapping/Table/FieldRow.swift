/// One row of a table, whatever the types of its item and its property.
///
/// `base` is the address of an item: of the object, or of the struct. `offset` is where in it the
/// property lies, or ``PlanField/viaKeyPath`` where the property has to be reached through its key
/// path.
protocol FieldRow: AnyObject, Sendable {
  var options: FieldOptions { get }
  var shape: ValueShape { get }
  /// The property's type as it is written: `URL?`.
  var typeName: String { get }
  /// Whether the JSON is read by the field's own code.
  var hasConversion: Bool { get }
  /// Whether there is a value of its own for what the JSON lacks.
  var hasDefault: Bool { get }
  /// How the key path describes itself: `\Book.title` where the property is stored in plain sight.
  var keyPathText: String { get }

  /// Reads a value and stores it. Answers whether it did.
  func read(
    _ place: MappingRun.Place, into base: UnsafeMutableRawPointer, at offset: Int,
    in run: inout MappingRun
  ) -> Bool
  /// Stores the field's own default. Answers whether it has one.
  func storeDefault(into base: UnsafeMutableRawPointer, at offset: Int) -> Bool
  /// The value as JSON.
  func write(
    _ base: UnsafeMutableRawPointer, at offset: Int, for purpose: JSONAny.Style.Purpose
  ) -> JSONAny?
  /// Whether the values of two items mean the same.
  func areSame(
    _ a: UnsafeMutableRawPointer, _ b: UnsafeMutableRawPointer, at offset: Int
  ) -> Bool
  /// Copies the value from one item to another.
  func copy(
    from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, at offset: Int)
  /// Where the property lies in memory; `nil` where that can't be proven.
  func offset(in prototypes: Prototypes) -> Int?
  /// Stores a value that is not what was there, if there is one, and looks what changed.
  func withProbe(in base: UnsafeMutableRawPointer, _ look: () -> Void)
}

/// A row made of a key path.
final class KeyPathRow<Root: JSONValue, Value: JSONValue>: FieldRow {
  private let keyPath: any WritableKeyPath<Root, Value> & Sendable
  private let initial: (@Sendable () -> Value)?
  private let conversion: FieldRule<Value>.Conversion?
  let options: FieldOptions
  let shape: ValueShape

  init(_ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ rules: [FieldRule<Value>]) {
    self.keyPath = keyPath
    var options = FieldOptions()
    var initial: (@Sendable () -> Value)?
    var conversion: FieldRule<Value>.Conversion?
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
    shape = .proven(of: Value.self)
  }

  var typeName: String { TypeName.text(Value.self) }
  var hasConversion: Bool { conversion != nil }
  var hasDefault: Bool { initial != nil }
  var keyPathText: String { keyPath.debugDescription }

  func read(
    _ place: MappingRun.Place, into base: UnsafeMutableRawPointer, at offset: Int,
    in run: inout MappingRun
  ) -> Bool {
    // An item in this value comes back to here, so what is read by other rules is read elsewhere.
    guard let value = value(at: place, updating: base, at: offset, in: &run) else { return false }
    store(value, into: base, at: offset)
    return true
  }

  private func value(
    at place: MappingRun.Place, updating base: UnsafeMutableRawPointer, at offset: Int,
    in run: inout MappingRun
  ) -> Value? {
    if conversion != nil || options.isJSONString { return specialValue(at: place, in: &run) }
    return run.isUpdate
      ? Value.updated(load(base, at: offset), from: place, in: &run) : Value.read(place, in: &run)
  }

  private func specialValue(at place: MappingRun.Place, in run: inout MappingRun) -> Value? {
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
      as: JSONAny.Style(date: options.dates.first ?? .rfc3339, purpose: purpose))
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

  private func store(_ value: Value, into base: UnsafeMutableRawPointer, at offset: Int) {
    if offset >= 0 {
      (base + offset).assumingMemoryBound(to: Value.self).pointee = value
    } else {
      ItemMemory<Root>.withRoot(at: base) { $0[keyPath: keyPath] = value }
    }
  }
}

extension KeyPathRow {
  /// A struct's layout is known to the language. An object's is not told, so it is proven: the
  /// property's address has to lie within the object's own memory, at the same place in two objects,
  /// and what is written there has to be seen through the key path. A value that is only made for
  /// the moment, as that of a computed or observed property is, can't lie within a living object.
  ///
  /// Behind a computed property there may be another object in another item, though it is the item
  /// itself in these two.
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

  /// Whether a value that is stored directly is what the key path reads, where there is a value to
  /// try it with.
  private func isSeen(at offset: Int, in object: BaseItem) -> Bool {
    let old = load(object.address, at: PlanField.viaKeyPath)
    guard let probe = Probe.value(otherThan: old) else { return true }
    store(probe, into: object.address, at: offset)
    let seen = load(object.address, at: PlanField.viaKeyPath).write(as: .probing)
    store(old, into: object.address, at: offset)
    return seen == probe.write(as: .probing)
  }

  func withProbe(in base: UnsafeMutableRawPointer, _ look: () -> Void) {
    guard let probe = Probe.value(otherThan: load(base, at: PlanField.viaKeyPath)) else { return }
    store(probe, into: base, at: PlanField.viaKeyPath)
    // A weak property holds it no longer than this.
    withExtendedLifetime(probe, look)
  }
}

/// Values to try a property with.
private enum Probe {
  /// Documents of which one or another means something to nearly every type.
  private static let texts = [
    "1", "2", "true", "false", "\"probe\"", "\"2001-02-03T04:05:06Z\"", "\"http://probe.example/\"",
    "{}", "[{}]", "[\"probe\"]", "[1]", "[[1]]", "{\"probe\":1}", "{\"probe\":\"probe\"}",
  ]
  private static let documents = texts.compactMap { try? JSONDocument($0) }

  static func value<Value: JSONValue>(otherThan old: Value) -> Value? {
    let known = old.write(as: .probing)
    for document in documents {
      var run = MappingRun(document, ItemMapper(), isTrial: true)
      if let value = Value.read(run.place(JSONTape.root), in: &run),
        value.write(as: .probing) != known
      {
        return value
      }
    }
    return nil
  }
}
