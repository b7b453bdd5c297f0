/// Makes a plan's fields of the tables of a type and of its superclasses.
struct PlanCompiler {
  let name: String
  let type: BaseItem.Type?
  let variants: ItemVariants?
  let ancestry: Set<ObjectIdentifier>
  let prototypes: Prototypes
  /// Lends a new item with every property at its default.
  let withDefaults: @Sendable ((UnsafeMutableRawPointer) -> Void) -> Void
  let properties: StoredProperties
  private(set) var fields: [PlanField] = []
  private(set) var problems: [TableProblem] = []

  init(_ type: BaseItem.Type) {
    name = "\(type)"
    self.type = type
    variants = type.variants
    let (first, second) = (type.init(), type.init())
    prototypes = .objects(first, second)
    properties = StoredProperties(of: first)
    ancestry = Set(
      properties.types.map { ObjectIdentifier($0) } + [ObjectIdentifier(BaseItem.self)])
    withDefaults = { body in
      let item = type.init()
      withExtendedLifetime(item) { body(item.address) }
    }
    // A class without a table of its own inherits its superclass's, which counts once.
    for link in properties.types {
      guard let table = (link as? BaseItem.Type)?.fields, table.owner == link else { continue }
      add(table)
    }
    if let owner = type.fields.owner, !ancestry.contains(ObjectIdentifier(owner)) {
      problems.append(.foreignTable("\(owner)"))
    }
    checkCoverage(
      ignored: properties.types.flatMap { ($0 as? BaseItem.Type)?.fields.ignored ?? [] })
  }

  init<Value: ItemValue>(_ type: Value.Type) {
    name = "\(type)"
    self.type = nil
    variants = nil
    ancestry = []
    prototypes = .none
    properties = StoredProperties(of: Value())
    withDefaults = { body in
      var value = Value()
      withUnsafeMutablePointer(to: &value) { body(UnsafeMutableRawPointer($0)) }
    }
    let table = type.fields
    if let owner = table.owner, owner != type { problems.append(.foreignTable("\(owner)")) }
    add(table)
    checkCoverage(ignored: table.ignored)
  }

  private mutating func add(_ table: FieldTable) {
    for row in table.rows {
      let target = target(of: row)
      let name = target?.name
      problems += row.options.faults.map { .path($0, property: name) }
      problems += row.options.dates.compactMap { format in
        format.problem.map { .date($0, property: name) }
      }
      var paths = row.options.paths
      if paths.isEmpty, row.options.faults.isEmpty {
        if let target, target.isNamed {
          paths = [JSONPath(target.parts.map { .name(table.naming.key(for: $0)) })]
        } else {
          problems.append(.noPath(row.keyPathText))
        }
      }
      guard !paths.isEmpty else { continue }
      let offset = DirectStores.areUsed ? row.offset(in: prototypes) : nil
      let field = PlanField(
        name: name ?? "\(paths[0])", property: target?.parts.first, row: row,
        offset: offset ?? PlanField.viaKeyPath, paths: paths)
      // A subclass may read an inherited property from elsewhere.
      if let name, let earlier = fields.firstIndex(where: { $0.name == name }) {
        fields[earlier] = field
      } else {
        fields.append(field)
      }
    }
  }
}

extension PlanCompiler {
  /// What a row is about: a stored property, or below it a member of the struct that it holds.
  private struct Target {
    let parts: [String]
    var name: String { parts.joined(separator: ".") }
    /// Whether each part has a name.
    var isNamed: Bool { !parts.contains { $0.contains("<") } }
  }

  private func target(of row: any FieldRow) -> Target? {
    // The type, the property, and what is below it.
    let parts = Self.parts(of: row.keyPathText)
    guard parts.count > 1 else { return nil }
    return property(of: row, written: parts[1], isWhole: parts.count == 2)
      .map { Target(parts: [$0] + parts[2...]) }
  }

  /// The parts of a key path's description, in which what is in brackets belongs together.
  private static func parts(of text: String) -> [String] {
    var parts = [""]
    var depth = 0
    for character in text {
      if character == "<" || character == "(" { depth += 1 }
      if character == ">" || character == ")" { depth -= 1 }
      if character == ".", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  /// The name of a row's property. A key path to a property that is stored in plain sight tells it;
  /// for any other, a value is written to see which stored property changes.
  private func property(of row: any FieldRow, written: String, isWhole: Bool) -> String? {
    let name = written.filter { $0 != "?" && $0 != "!" }
    if properties.all.contains(where: { $0.name == name }) { return name }
    var isWritten = false
    var changed: StoredProperties?
    if case .objects = prototypes, let item = type?.init() {
      isWritten = row.storeProbe(into: item.address)
      changed = StoredProperties(of: item)
    }
    let differing = zip(properties.all, changed?.all ?? []).first {
      $0.fingerprint != $1.fingerprint
    }
    if isWritten, let differing { return differing.0.name }
    guard isWhole else { return nil }
    // What can't be tried is the only property of its type that nobody has claimed.
    let candidates = properties.all.filter { property in
      "\(property.type)" == row.typeName && !fields.contains { $0.property == property.name }
    }
    return candidates.count == 1 ? candidates[0].name : nil
  }

  /// Every stored property is mapped or ignored, and what is ignored is there.
  private mutating func checkCoverage(ignored: [String]) {
    let names = Set(properties.all.map(\.name))
    let mapped = Set(fields.compactMap(\.property))
    for name in ignored {
      if !names.contains(name) { problems.append(.unknownIgnored(name)) }
      if mapped.contains(name) { problems.append(.mappedAndIgnored(name)) }
    }
    for property in properties.all
    where !mapped.contains(property.name) && !ignored.contains(property.name) {
      problems.append(.unmapped(property.name))
    }
  }
}
