extension JSONAny {
  /// The members of an object, in order and without repeated names. Names are compared byte for byte,
  /// as in JSON, so two spellings of the same letter are two names.
  public struct Object: Sendable {
    private var entries: [(name: String, value: JSONAny)] = []
    /// The positions by name, if there are too many for a linear search.
    private var positions: [Name: Int] = [:]

    private static let searchable = 16

    /// Creates an empty object.
    public init() {}

    /// Creates an object with these members. The first member with a name wins.
    public init(_ members: some Sequence<(String, JSONAny)>) {
      for (name, value) in members { appendIfNew(name, value) }
    }

    /// The value with this name. Setting a value keeps the member's position or appends a member;
    /// setting `nil` removes it.
    public subscript(name: String) -> JSONAny? {
      get { position(of: name).map { entries[$0].value } }
      set {
        switch (position(of: name), newValue) {
        case (let position?, let value?): entries[position].value = value
        case (nil, let value?): append(name, value)
        case (let position?, nil):
          entries.remove(at: position)
          reindex()
        case (nil, nil): break
        }
      }
    }

    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    mutating func appendIfNew(_ name: String, _ value: JSONAny) {
      if position(of: name) == nil { append(name, value) }
    }

    private mutating func append(_ name: String, _ value: JSONAny) {
      entries.append((name, value))
      if entries.count == Self.searchable + 1 {
        reindex()
      } else if entries.count > Self.searchable {
        positions[Name(name)] = entries.count - 1
      }
    }

    private mutating func reindex() {
      positions.removeAll()
      guard entries.count > Self.searchable else { return }
      for (position, entry) in entries.enumerated() { positions[Name(entry.name)] = position }
    }

    private func position(of name: String) -> Int? {
      entries.count > Self.searchable
        ? positions[Name(name)]
        : entries.firstIndex { Name.same($0.name, name) }
    }

    /// Hashes a name by its bytes.
    func hashName(at position: Int, into hasher: inout Hasher) {
      hasher.combine(Name(entries[position].name))
    }

    /// A name that is compared by its bytes.
    private struct Name: Hashable, Sendable {
      let text: String

      init(_ text: String) { self.text = text }

      static func == (a: Name, b: Name) -> Bool { same(a.text, b.text) }

      /// Equal strings may differ in bytes but rarely do, so bytes are compared last.
      static func same(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && a == b && a.utf8.elementsEqual(b.utf8)
      }

      func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      }
    }
  }
}

extension JSONAny.Object: RandomAccessCollection {
  /// The first position.
  public var startIndex: Int { 0 }
  /// The position after the last member.
  public var endIndex: Int { entries.count }
  /// The member at a position.
  public subscript(position: Int) -> (name: String, value: JSONAny) { entries[position] }
}

extension JSONAny.Object: ExpressibleByDictionaryLiteral {
  /// Creates an object with these members in this order.
  public init(dictionaryLiteral members: (String, JSONAny)...) { self.init(members) }
}
