/// Compiles the tables of a type and of its superclasses into the fields of a plan.
struct PlanCompiler {
  let name: String
  let type: BaseItem.Type?
  let variants: FieldTable.Variants?
  let ancestry: Set<ObjectIdentifier>
  let prototypes: Prototypes
  /// Calls its argument with a new item that has every property at its default.
  let withDefaults: @Sendable ((UnsafeMutableRawPointer) -> Void) -> Void
  let properties: StoredProperties
  private let storesDirectly: Bool
  /// Returns the fingerprints of a new item's properties before and after a row has stored a probe;
  /// `nil` if there is no probe.
  private let probe: (any FieldRow) -> (before: [String], after: [String])?
  private(set) var fields: [PlanField] = []
  private(set) var problems: [FieldTable.Inspection.Problem] = []
  /// The targets of the fields.
  private var targets: [Target?] = []
  /// The positions of the stored properties with a row, valid or not.
  private var mapped: Set<Int> = []

  init(_ type: BaseItem.Type, storesDirectly: Bool = ItemMapper.storesDirectlyByDefault) {
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
      var after: [String]?
      row.withProbe(in: item.address) { after = StoredProperties.fingerprints(of: item) }
      return after.map { (before, $0) }
    }
    // A class without a table of its own inherits its superclass's, which must be added only once.
    var ignored: [Ignored] = []
    for link in properties.types {
      guard let table = (link as? BaseItem.Type)?.fields, table.owner == link else { continue }
      add(table)
      ignored += table.ignored.map { Ignored(name: $0, owner: link) }
    }
    if let owner = type.fields.owner, !ancestry.contains(ObjectIdentifier(owner)) {
      problems.append(.foreignTable("\(owner)"))
    }
    checkCoverage(ignored: ignored)
  }

  init<Value: ItemValue>(
    _ type: Value.Type, storesDirectly: Bool = ItemMapper.storesDirectlyByDefault
  ) {
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
      var after: [String]?
      withUnsafeMutablePointer(to: &value) { place in
        row.withProbe(in: place) { after = StoredProperties.fingerprints(of: place.pointee) }
      }
      return after.map { (before, $0) }
    }
    let table = type.fields
    if let owner = table.owner, owner != type {
      // Its rows would write to memory with another layout.
      problems.append(.foreignTable("\(owner)"))
    } else {
      add(table)
    }
    checkCoverage(ignored: table.ignored.map { Ignored(name: $0, owner: type) })
  }

  private mutating func add(_ table: FieldTable) {
    for row in table.rows {
      // Storing through a forced `nil` traps, and a direct store would create an incomplete value.
      if row.keyPathText.contains("!") {
        problems.append(.forcedValue(row.keyPathText))
        continue
      }
      let target = target(of: row, in: table)
      let name = target?.name
      if let property = target?.property { mapped.insert(property) }
      problems += row.options.faults.map { .path($0, property: name) }
      problems += (row.options.dates ?? []).compactMap { format in
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
      // A subclass may declare another path for an inherited property.
      if let target, target.isNamed, let earlier = targets.firstIndex(of: target) {
        fields[earlier] = field
      } else {
        fields.append(field)
        targets.append(target)
      }
    }
  }
}

extension PlanCompiler {
  /// The target of a row: a stored property, or a member of the struct in it.
  private struct Target: Equatable {
    /// The position of the stored property, because its name may also exist in a superclass. `nil`
    /// for a property that can't be seen.
    let property: Int?
    let parts: [String]
    var name: String { parts.joined(separator: ".") }
    /// Whether each part is a name.
    var isNamed: Bool { !parts.contains { $0.contains("<") } }
  }

  /// An ignored name, and the type whose table declares it.
  private struct Ignored {
    let name: String
    let owner: any Any.Type
  }

  private func target(of row: any FieldRow, in table: FieldTable) -> Target? {
    // The type, the property, and the members below it.
    let parts = Self.parts(of: row.keyPathText)
    guard parts.count > 1 else { return nil }
    let written = parts[1].filter { $0 != "?" && $0 != "!" }
    let known = properties.known(to: table.owner)
    let mayBeUnseen = properties.areUnseen(of: table.owner)
    // If the name is repeated, the most derived property is used.
    if let property = known.last(where: { properties.all[$0].label == written }),
      !mayBeUnseen || !isUntouched(property, by: row)
    {
      return Target(property: property, parts: [written] + parts[2...])
    }
    if mayBeUnseen, !written.contains("<") {
      return Target(property: nil, parts: [written] + parts[2...])
    }
    return changedProperty(by: row, among: parts.count == 2 && !mayBeUnseen ? known : 0..<0)
      .map { Target(property: $0, parts: [properties.all[$0].name] + parts[2...]) }
  }

  /// Returns whether a probe shows that the row doesn't store in this property.
  private func isUntouched(_ property: Int, by row: any FieldRow) -> Bool {
    guard let (before, after) = probe(row) else { return false }
    return before[property] == after[property]
  }

  /// Splits a key path's description at its dots, except for dots in brackets.
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

  /// Returns the position of a row's property. A key path to a visible stored property has the name
  /// in its description; for any other, a probe shows which stored property changes.
  private func changedProperty(by row: any FieldRow, among eligible: Range<Int>) -> Int? {
    if let (before, after) = probe(row),
      let changed = before.indices.first(where: { before[$0] != after[$0] })
    {
      return changed
    }
    // Without a probe, use the only unmapped property of the type, if there is just one.
    let candidates = eligible.filter { property in
      TypeName.text(properties.all[property].type) == row.typeName && !mapped.contains(property)
    }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// Checks that every stored property is mapped or ignored, and that ignored ones exist.
  private mutating func checkCoverage(ignored: [Ignored]) {
    var unmapped = properties.all.indices.filter { !mapped.contains($0) }
    for ignored in ignored {
      let property = properties.known(to: ignored.owner).last {
        properties.all[$0].name == ignored.name || properties.all[$0].label == ignored.name
      }
      guard let property else {
        if !properties.areUnseen(of: ignored.owner) {
          problems.append(.unknownIgnored(ignored.name))
        }
        continue
      }
      if mapped.contains(property) { problems.append(.mappedAndIgnored(ignored.name)) }
      unmapped.removeAll { $0 == property }
    }
    problems += unmapped.map { .unmapped(properties.all[$0].name) }
    if properties.unseen != nil { problems.append(.unseen(name)) }
  }
}
