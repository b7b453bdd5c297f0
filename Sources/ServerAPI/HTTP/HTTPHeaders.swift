internal import Support

/// The header fields of a message: ordered, names compared without case, repeats kept.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/csv"          // replaces every field of that name
/// headers.add("Via", "1.1 gateway")       // keeps those that are there
/// ```
public struct HTTPHeaders: Sendable {
  /// One field line.
  public struct Field: Hashable, Sendable {
    /// The name, in the case it was given.
    public var name: String
    /// The value, without surrounding white space.
    public var value: String

    /// Makes a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    /// Equal when name and value have the same bytes: a server tells apart what Unicode takes for equal.
    public static func == (a: Field, b: Field) -> Bool {
      a.name.hasSameBytes(as: b.name) && a.value.hasSameBytes(as: b.value)
    }
  }

  /// All fields in order.
  public private(set) var fields: [Field]

  /// No fields.
  public init() { fields = [] }

  /// These fields, in this order.
  public init(_ fields: [Field]) { self.fields = fields }

  /// The first field of that name; setting replaces all of them, setting `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
    set {
      guard let newValue else { return remove(name) }
      guard let index = fields.firstIndex(where: { $0.name.equalsIgnoringCase(name) }) else {
        return add(name, newValue)
      }
      fields[index].value = newValue
      var seen = false
      fields.removeAll { field in
        guard field.name.equalsIgnoringCase(name) else { return false }
        defer { seen = true }
        return seen
      }
    }
  }

  /// Every value of that name, in order.
  public func values(_ name: String) -> [String] {
    fields.compactMap { $0.name.equalsIgnoringCase(name) ? $0.value : nil }
  }

  /// Appends a field and keeps others of the same name.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Removes every field of that name.
  public mutating func remove(_ name: String) {
    fields.removeAll { $0.name.equalsIgnoringCase(name) }
  }

  /// Sets every field of `other`, replacing those of the same name.
  public mutating func merge(_ other: HTTPHeaders) {
    var replaced: [String] = []
    for field in other.fields {
      if replaced.contains(where: { $0.equalsIgnoringCase(field.name) }) {
        add(field.name, field.value)
      } else {
        self[field.name] = field.value
        replaced.append(field.name)
      }
    }
  }

  /// Whether there are no fields.
  public var isEmpty: Bool { fields.isEmpty }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Fields in the order of the literal; a repeated name gives repeated fields.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

extension HTTPHeaders: Hashable {
  /// Equal when the same fields stand in the same order; the case of names does not count.
  public static func == (a: HTTPHeaders, b: HTTPHeaders) -> Bool {
    a.fields.count == b.fields.count
      && zip(a.fields, b.fields).allSatisfy {
        $0.value.hasSameBytes(as: $1.value) && $0.name.equalsIgnoringCase($1.name)
      }
  }

  /// Hashes values only, since names are equal without case.
  public func hash(into hasher: inout Hasher) {
    for field in fields { hasher.combine(field.value) }
  }
}
