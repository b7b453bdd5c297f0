/// What the language tells at run time of a type's stored properties, superclasses first.
struct StoredProperties {
  struct Property {
    let name: String
    let type: any Any.Type
    let owner: any Any.Type
    /// A text that changes when the value does.
    let fingerprint: String
  }

  private(set) var types: [any Any.Type] = []
  private(set) var all: [Property] = []

  init(of value: Any) {
    var mirrors: [Mirror] = []
    var next: Mirror? = Mirror(reflecting: value)
    while let mirror = next, mirror.subjectType != BaseItem.self {
      mirrors.insert(mirror, at: 0)
      next = mirror.superclassMirror
    }
    for mirror in mirrors {
      types.append(mirror.subjectType)
      for child in mirror.children {
        guard let label = child.label else { continue }
        all.append(
          Property(
            name: Self.plainName(label), type: Swift.type(of: child.value),
            owner: mirror.subjectType, fingerprint: Self.fingerprint(child.value)))
      }
    }
  }

  /// Lazy and wrapped properties are stored under names of the compiler's.
  private static func plainName(_ label: String) -> String {
    let lazy = "$__lazy_storage_$_"
    if label.hasPrefix(lazy) { return String(label.dropFirst(lazy.count)) }
    return label.hasPrefix("_") ? String(label.dropFirst()) : label
  }

  /// Objects count by which they are, so that none is asked to describe itself.
  static func fingerprint(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class { return "\(ObjectIdentifier(value as AnyObject))" }
    guard !mirror.children.isEmpty else { return "\(value)" }
    return "(" + mirror.children.map { fingerprint($0.value) }.joined(separator: ",") + ")"
  }
}
