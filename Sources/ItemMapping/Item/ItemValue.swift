/// An item that is a struct: an independent value, `Sendable` if its properties are.
///
/// ```swift
/// struct Price: ItemValue {
///   var amount = Decimal(0)
///   var currency = ""
///
///   static var fields: FieldTable {
///     FieldTable(Price.self) { f in
///       f(\.amount, "amount", .required)
///       f(\.currency, "currency")
///     }
///   }
/// }
/// ```
public protocol ItemValue: JSONValue, CustomDebugStringConvertible {
  /// Creates a value with every property at its default.
  init()

  /// The paths and rules of the properties.
  static var fields: FieldTable { get }

  /// Called after all properties are set, to derive values that a table can't express.
  ///
  /// - Parameter json: The object the value was read from.
  /// - Throws: Any error that makes the value unusable. The value is dropped, and the report has
  ///   the error.
  mutating func didMap(_ json: JSONView) throws
}

extension ItemValue {
  /// Does nothing.
  public mutating func didMap(_ json: JSONView) throws {}

  /// Reads a value of this type.
  public static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Self? {
    guard run.isObject(place, for: Self.self) else { return nil }
    var value = Self()
    // Moved, because a copy retains all that is in it.
    return run.update(&value, isNew: true, at: place) ? consume value : nil
  }

  /// Returns the value with the properties that the JSON mentions updated.
  public static func updated(
    _ value: Self, from place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Self? {
    guard run.isObject(place, for: Self.self) else { return nil }
    var value = value
    return run.update(&value, isNew: false, at: place) ? consume value : nil
  }

  /// Returns the value as an object, written through the same table.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    style.purpose == .probing ? .string("\(Self.self)") : .object(json(for: style.purpose))
  }

  /// Returns a value with copies of all mapped values.
  public func copied() -> Self {
    var (source, copy) = (self, self)
    withUnsafeMutablePointer(to: &source) { source in
      withUnsafeMutablePointer(to: &copy) { copy in
        ItemPlan.of(Self.self).copyFields(from: source, to: copy)
      }
    }
    return copy
  }

  /// The mapped properties as JSON, in the order of the table, without those that are `nil`.
  public var jsonObject: JSONAny.Object { json(for: .writing) }

  /// The type and its mapped values, such as `Price(amount: 1, currency: "EUR")`, with sensitive
  /// ones hidden.
  public var debugDescription: String {
    var source = self
    return withUnsafeMutablePointer(to: &source) { ItemPlan.of(Self.self).description(of: $0) }
  }

  private func json(for purpose: JSONAny.Style.Purpose) -> JSONAny.Object {
    var source = self
    return withUnsafeMutablePointer(to: &source) {
      ItemPlan.of(Self.self).write($0, for: purpose)
    }
  }
}
