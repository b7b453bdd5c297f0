extension FieldTable {
  /// The classes an object may have, selected by one of its members.
  ///
  /// ```swift
  /// class Entry: BaseItem {
  ///   override class var variants: FieldTable.Variants? {
  ///     FieldTable.Variants(key: "type", ["book": Book.self, "film": Film.self], else: Entry.self)
  ///   }
  /// }
  /// ```
  public struct Variants: Sendable {
    let key: JSONPath.Step
    let name: String
    let types: [String: BaseItem.Type]
    let fallback: BaseItem.Type?

    /// Creates variants selected by the value of a member.
    ///
    /// - Parameters:
    ///   - key: The member that selects the class. Numbers and `true` and `false` are compared as
    ///     text.
    ///   - types: The class for each value of the member. Each must be the expected class or a
    ///     subclass of it.
    ///   - fallback: The class for every other value and for objects without the member. Without one,
    ///     these objects are dropped and reported.
    public init(
      key: String, _ types: [String: BaseItem.Type], else fallback: BaseItem.Type? = nil
    ) {
      name = key
      self.key = JSONPath.Step(.name(key))
      self.types = types
      self.fallback = fallback
    }
  }
}

// One function for each shape of property that holds items, so that the compiler checks the
// classes.
extension FieldTable.Rule where Value: BaseItem {
  /// Selects the item's class by one of its members; see ``FieldTable/Variants``.
  public static func variants(
    key: String, _ types: [String: Value.Type], else fallback: Value.Type? = nil
  ) -> Self {
    variants(FieldTable.Variants(key: key, types, else: fallback))
  }
}

extension FieldTable.Rule {
  /// Selects the item's class by one of its members; see ``FieldTable/Variants``.
  public static func variants<Base: BaseItem>(
    key: String, _ types: [String: Base.Type], else fallback: Base.Type? = nil
  ) -> Self where Value == Base? {
    variants(FieldTable.Variants(key: key, types, else: fallback))
  }

  /// Selects the elements' classes by one of their members; see ``FieldTable/Variants``.
  public static func variants<Base: BaseItem>(
    key: String, _ types: [String: Base.Type], else fallback: Base.Type? = nil
  ) -> Self where Value == [Base] {
    variants(FieldTable.Variants(key: key, types, else: fallback))
  }

  /// Selects the elements' classes by one of their members; see ``FieldTable/Variants``.
  public static func variants<Base: BaseItem>(
    key: String, _ types: [String: Base.Type], else fallback: Base.Type? = nil
  ) -> Self where Value == [Base]? {
    variants(FieldTable.Variants(key: key, types, else: fallback))
  }

  /// Selects the values' classes by one of their members; see ``FieldTable/Variants``.
  public static func variants<Base: BaseItem>(
    key: String, _ types: [String: Base.Type], else fallback: Base.Type? = nil
  ) -> Self where Value == [String: Base] {
    variants(FieldTable.Variants(key: key, types, else: fallback))
  }

  fileprivate static func variants(_ variants: FieldTable.Variants) -> Self {
    option { $0.variants = variants }
  }
}
