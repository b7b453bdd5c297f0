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
  private let storesDirectly: Bool
  /// What a new item's properties hold before and after a row has stored something in one.
  private let probe: (any FieldRow) -> (before: [String], after: [String])
  private(set) var fields: [PlanField] = []
  private(set) var problems: [TableProblem] = []
  /// The stored properties that have a row, be it a good one.
  private var mapped: Set<String> = []

  init(_ type: BaseItem.Type, storesDirectly: Bool = DirectStores.areUsed) {
    self.storesDirectly = storesDirectly
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
    probe = { row in
      let item = type.init()
      let before = StoredProperties.fingerprints(of: item)
      var after = before
      row.withProbe(in: item.address) { after = StoredProperties.fingerprints(of: item) }
      return (before, after)
    }
    // A class without a table of its own inherits its superclass's, which counts once.
    var ignored: [String] = []
    for link in properties.types {
      guard let table = (link as? BaseItem.Type)?.fields, table.owner == link else { continue }
      add(table)
      ignored += table.ignored
    }
    if let owner = type.fields.owner, !ancestry.contains(ObjectIdentifier(owner)) {
      problems.append(.foreignTable("\(owner)"))
    }
    checkCoverage(ignored: ignored)
  }

  init<Value: ItemValue>(_ type: Value.Type, storesDirectly: Bool = DirectStores.areUsed) {
    self.storesDirectly = storesDirectly
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
    probe = { row in
      var value = Value()
      let before = StoredProperties.fingerprints(of: value)
      var after = before
      withUnsafeMutablePointer(to: &value) { place in
        row.withProbe(in: place) { after = StoredProperties.fingerprints(of: place.pointee) }
      }
      return (before, after)
    }
    let table = type.fields
    if let owner = table.owner, owner != type {
      // Its rows would write to memory that is laid out otherwise.
      problems.append(.foreignTable("\(owner)"))
    } else {
      add(table)
    }
    checkCoverage(ignored: table.ignored)
  }

  private mutating func add(_ table: FieldTable) {
    for row in table.rows {
      // Storing to what isn't there is a trap, and directly it would make half a value.
      if row.keyPathText.contains("!") {
        problems.append(.forcedValue(row.keyPathText))
        continue
      }
      let target = target(of: row)
      let name = target?.name
      if let property = target?.property { mapped.insert(property) }
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
      let offset = storesDirectly ? row.offset(in: prototypes) : nil
      let field = PlanField(
        name: name ?? "\(paths[0])", row: row, offset: offset ?? PlanField.viaKeyPath,
        paths: paths)
      // A subclass may read an inherited property from elsewhere.
      if let target, target.isNamed,
        let earlier = fields.firstIndex(where: { $0.name == target.name })
      {
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
    let property: String
    let parts: [String]
    var name: String { parts.joined(separator: ".") }
    /// Whether each part has a name.
    var isNamed: Bool { !parts.contains { $0.contains("<") } }
  }

  private func target(of row: any FieldRow) -> Target? {
    // The type, the property, and what is below it.
    let parts = Self.parts(of: row.keyPathText)
    guard parts.count > 1 else { return nil }
    let written = parts[1].filter { $0 != "?" && $0 != "!" }
    if let property = properties.all.first(where: { $0.label == written }) {
      return Target(property: property.name, parts: [written] + parts[2...])
    }
    return changedProperty(by: row, isWhole: parts.count == 2)
      .map { Target(property: $0, parts: [$0] + parts[2...]) }
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
  private func changedProperty(by row: any FieldRow, isWhole: Bool) -> String? {
    let (before, after) = probe(row)
    let changed = zip(properties.all, zip(before, after)).first { $1.0 != $1.1 }
    if let changed { return changed.0.name }
    guard isWhole else { return nil }
    // What can't be tried is the only property of its type that nobody has claimed.
    let candidates = properties.all.filter { property in
      TypeName.text(property.type) == row.typeName && !mapped.contains(property.name)
    }
    return candidates.count == 1 ? candidates[0].name : nil
  }

  /// Every stored property is mapped or ignored, and what is ignored is there.
  private mutating func checkCoverage(ignored: [String]) {
    var unmapped = properties.all.filter { !mapped.contains($0.name) }
    for name in ignored {
      guard let property = properties.all.first(where: { $0.name == name || $0.label == name })
      else {
        problems.append(.unknownIgnored(name))
        continue
      }
      if mapped.contains(property.name) { problems.append(.mappedAndIgnored(name)) }
      unmapped.removeAll { $0.name == property.name }
    }
    problems += unmapped.map { .unmapped($0.name) }
  }
}
