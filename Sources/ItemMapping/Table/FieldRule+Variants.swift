// One rule for each shape a property of items can have, so that the compiler checks the classes.
extension FieldRule where Value: BaseItem {
  /// The classes the item may be, told by one of its members; see ``ItemVariants``.
  public static func variants(
    key: String, _ types: [String: Value.Type], else fallback: Value.Type? = nil
  ) -> FieldRule {
    variants(ItemVariants(key: key, types, else: fallback))
  }
}

extension FieldRule {
  /// The classes the item may be, told by one of its members; see ``ItemVariants``.
  public static func variants<Base: BaseItem>(
    key: String, _ types: [String: Base.Type], else fallback: Base.Type? = nil
  ) -> FieldRule where Value == Base? {
    variants(ItemVariants(key: key, types, else: fallback))
  }

  /// The classes the elements may be, told by one of their members; see ``ItemVariants``.
  public static func variants<Base: BaseItem>(
    key: String, _ types: [String: Base.Type], else fallback: Base.Type? = nil
  ) -> FieldRule where Value == [Base] {
    variants(ItemVariants(key: key, types, else: fallback))
  }

  /// The classes the elements may be, told by one of their members; see ``ItemVariants``.
  public static func variants<Base: BaseItem>(
    key: String, _ types: [String: Base.Type], else fallback: Base.Type? = nil
  ) -> FieldRule where Value == [Base]? {
    variants(ItemVariants(key: key, types, else: fallback))
  }

  /// The classes the values may be, told by one of their members; see ``ItemVariants``.
  public static func variants<Base: BaseItem>(
    key: String, _ types: [String: Base.Type], else fallback: Base.Type? = nil
  ) -> FieldRule where Value == [String: Base] {
    variants(ItemVariants(key: key, types, else: fallback))
  }

  fileprivate static func variants(_ variants: ItemVariants) -> FieldRule {
    option { $0.variants = variants }
  }
}
