/// The classes an object may be, told by one of its members.
///
/// ```swift
/// class Entry: BaseItem {
///   override class var variants: ItemVariants? {
///     ItemVariants(key: "type", ["book": Book.self, "film": Film.self], else: Entry.self)
///   }
/// }
/// ```
public struct ItemVariants: Sendable {
  let key: JSONPath.Step
  let name: String
  let types: [String: BaseItem.Type]
  let fallback: BaseItem.Type?

  /// Variants by the value of a member.
  ///
  /// - Parameters:
  ///   - key: The member that names the class. Numbers and `true` and `false` count by their text.
  ///   - types: The class for each of its values. All have to be the class that is asked for, or
  ///     subclasses of it.
  ///   - fallback: The class for every other value and for objects without the member. Without one
  ///     they are left out and reported.
  public init(
    key: String, _ types: [String: BaseItem.Type], else fallback: BaseItem.Type? = nil
  ) {
    name = key
    self.key = JSONPath.Step(.name(key))
    self.types = types
    self.fallback = fallback
  }
}

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
