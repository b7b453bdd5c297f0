/// The stored properties of a type, as reflection shows them, superclasses first.
struct StoredProperties {
  struct Property {
    let name: String
    /// The name in the mirror.
    let label: String
    let type: any Any.Type
    let owner: any Any.Type
  }

  private(set) var types: [any Any.Type] = []
  private(set) var all: [Property] = []
  /// The type itself, if it is `CustomReflectable` and so hides its own properties.
  let unseen: (any Any.Type)?

  init(of value: any JSONValue) {
    let own = type(of: value)
    unseen = value is any CustomReflectable ? own : nil
    let mirrors = Self.mirrors(of: value)
    let labels = Set(mirrors.flatMap { $0.children.compactMap(\.label) })
    for mirror in mirrors {
      types.append(mirror.subjectType)
      for child in mirror.children {
        guard let label = child.label else { continue }
        all.append(
          Property(
            name: Self.plainName(label, among: labels), label: label,
            type: Swift.type(of: child.value), owner: mirror.subjectType))
      }
    }
    if unseen != nil { types.append(own) }
  }

  /// Returns the positions of the properties that a type declares or inherits.
  func known(to owner: (any Any.Type)?) -> Range<Int> {
    guard let owner, let level = types.firstIndex(where: { $0 == owner }) else {
      return all.indices
    }
    let known = Set(types[...level].map { ObjectIdentifier($0) })
    return 0..<all.prefix { known.contains(ObjectIdentifier($0.owner)) }.count
  }

  /// Returns whether a type may have properties that are not listed.
  func areUnseen(of owner: (any Any.Type)?) -> Bool { unseen != nil && unseen == owner }

  /// Returns the declared name. Lazy and wrapped properties are stored under compiler-generated
  /// names, but an underscore may also be part of the declared name.
  private static func plainName(_ label: String, among labels: Set<String>) -> String {
    let lazy = "$__lazy_storage_$_"
    if label.hasPrefix(lazy) { return String(label.dropFirst(lazy.count)) }
    let name = String(label.dropFirst())
    return label.hasPrefix("_") && !labels.contains(name) ? name : label
  }

  /// Returns a text for each property that changes when its value does.
  static func fingerprints(of value: any JSONValue) -> [String] {
    mirrors(of: value).flatMap { $0.children.filter { $0.label != nil } }
      .map { fingerprint($0.value) }
  }

  /// Returns the mirrors, superclasses first. A custom mirror is excluded, because neither its
  /// children nor its superclasses have to be accurate.
  private static func mirrors(of value: any JSONValue) -> [Mirror] {
    var mirrors: [Mirror] = []
    let own: any JSONValue.Type = type(of: value)
    var next =
      value is any CustomReflectable
      ? superclassMirror(of: value, as: own) : Mirror(reflecting: value)
    while let mirror = next, mirror.subjectType != BaseItem.self {
      mirrors.insert(mirror, at: 0)
      next = mirror.superclassMirror
    }
    return mirrors
  }

  /// Returns the mirror of the superclass, which Swift generates even for a type with a custom
  /// mirror.
  private static func superclassMirror<Value: JSONValue>(
    of value: any JSONValue, as type: Value.Type
  ) -> Mirror? {
    (value as? Value).flatMap {
      Mirror($0, children: [], ancestorRepresentation: .generated).superclassMirror
    }
  }

  /// Returns a text that differs for different values. Objects are compared by identity, so that none has to describe itself. Scalars are written as
  /// JSON, because their reflection may contain an address that always differs.
  static func fingerprint(_ value: Any) -> String {
    if type(of: value) is AnyClass { return "\(ObjectIdentifier(value as AnyObject))" }
    let mirror = Mirror(reflecting: value)
    let isContainer = mirror.displayStyle != .struct && mirror.displayStyle != .enum
    if !(isContainer || value is any ItemValue), let scalar = value as? any JSONValue {
      return scalar.write(as: .probing)?.text() ?? "nil"
    }
    guard !mirror.children.isEmpty else { return "\(value)" }
    return "(" + mirror.children.map { fingerprint($0.value) }.joined(separator: ",") + ")"
  }
}
