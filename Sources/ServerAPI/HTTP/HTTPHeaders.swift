internal import Support

/// The header fields of a message, in order. Names are case-insensitive and may repeat.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/csv"          // replaces every field of that name
/// headers.add("Via", "1.1 gateway")       // keeps existing fields of that name
/// ```
public struct HTTPHeaders: Sendable {
  /// One field line.
  public struct Field: Hashable, Sendable {
    /// The name, in its original case.
    public var name: String
    /// The value, without surrounding white space.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    /// Compares the bytes of names and values: a server distinguishes strings that Unicode considers equal.
    public static func == (a: Field, b: Field) -> Bool {
      a.name.hasSameBytes(as: b.name) && a.value.hasSameBytes(as: b.value)
    }
  }

  /// All fields in order.
  public private(set) var fields: [Field]

  /// Creates a list of fields, in this order.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// The value of the first field with this name. Setting replaces all of them; setting `nil` removes them.
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

  /// Returns the values of all fields with this name, in order.
  public func values(_ name: String) -> [String] {
    fields.compactMap { $0.name.equalsIgnoringCase(name) ? $0.value : nil }
  }

  /// Appends a field and keeps the others with the same name.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Makes room for more fields.
  mutating func reserve(_ count: Int) { fields.reserveCapacity(fields.count + count) }

  /// Removes all fields with this name.
  package mutating func remove(_ name: String) {
    fields.removeAll { $0.name.equalsIgnoringCase(name) }
  }

  /// Sets every field of `other`, replacing those with the same name.
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
  /// Creates fields in the order of the literal; a repeated name gives repeated fields.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

extension HTTPHeaders: Hashable {
  /// Compares the fields in order; names are case-insensitive.
  public static func == (a: HTTPHeaders, b: HTTPHeaders) -> Bool {
    a.fields.count == b.fields.count
      && zip(a.fields, b.fields).allSatisfy {
        $0.value.hasSameBytes(as: $1.value) && $0.name.equalsIgnoringCase($1.name)
      }
  }

  /// Hashes only the values, since names are case-insensitive.
  public func hash(into hasher: inout Hasher) {
    for field in fields { hasher.combine(field.value) }
  }
}
