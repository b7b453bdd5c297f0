/// Where a field comes from, or a rule for it. A string is a path:
/// `f(\.price, "price", "pricing.amount", .required)`.
public struct FieldRule<Value: JSONValue>: Sendable {
  enum Content: Sendable {
    case options(@Sendable (inout FieldOptions) -> Void)
    case initial(@Sendable () -> Value)
    case conversion(Conversion)
  }

  /// A reading of the field's own, and the way back.
  struct Conversion: Sendable {
    let read: @Sendable (JSONView) throws -> Value
    let write: (@Sendable (Value) -> JSONAny?)?
  }

  let content: Content

  private init(_ content: Content) { self.content = content }

  static func option(_ change: @escaping @Sendable (inout FieldOptions) -> Void) -> FieldRule {
    FieldRule(.options(change))
  }

  /// A place the value may be at.
  public static func path(_ path: JSONPath) -> FieldRule { option { $0.paths.append(path) } }

  /// Without a value of this field an item is unusable and left out.
  public static var required: FieldRule { option { $0.isRequired = true } }

  /// The value where the JSON has none, or none that can be read.
  public static func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> FieldRule {
    FieldRule(.initial(value))
  }

  /// Only a value of the property's own JSON type is taken.
  public static var strict: FieldRule { option { $0.isStrict = true } }

  /// Values are converted where they stand for the same, whatever the mapper says.
  public static var lenient: FieldRule { option { $0.isStrict = false } }

  /// `true` and `false` are 1 and 0.
  public static var boolsAsNumbers: FieldRule { option { $0.takesBools = true } }

  /// A value that is no array is an array of one.
  public static var single: FieldRule { option { $0.takesSingle = true } }

  /// An empty string or an empty array stands for an object that is not there.
  public static var emptyAsAbsent: FieldRule { option { $0.takesEmpty = true } }

  /// The value never appears in a report or a description.
  public static var sensitive: FieldRule { option { $0.isSensitive = true } }

  /// The same long strings come again and again: each is kept in memory once.
  public static var interned: FieldRule { option { $0.isInterned = true } }

  /// The value is JSON within a string.
  public static var jsonString: FieldRule { option { $0.isJSONString = true } }

  /// What becomes of elements that can't be read.
  public static func elements(_ policy: FieldTable.ElementPolicy) -> FieldRule {
    option { $0.elements = policy }
  }

  /// How dates are written; the first format that fits is taken.
  public static func date(_ formats: DateFormat...) -> FieldRule { option { $0.dates = formats } }

  /// Reads the value in a way of its own.
  ///
  /// - Parameters:
  ///   - read: Makes the value. What it throws is reported, and the property keeps what it had.
  ///   - write: The way back, where the type's own is not right.
  public static func convert(
    _ read: @escaping @Sendable (JSONView) throws -> Value,
    back write: (@Sendable (Value) -> JSONAny?)? = nil
  ) -> FieldRule {
    FieldRule(.conversion(Conversion(read: read, write: write)))
  }
}

extension FieldRule: ExpressibleByStringLiteral {
  /// A place the value may be at, written as a ``JSONPath``.
  public init(stringLiteral text: String) {
    self = .option { options in
      do throws(JSONPath.ParsingError) {
        options.paths.append(try JSONPath(parsing: text))
      } catch {
        options.faults.append(error)
      }
    }
  }
}

/// The rules of one field.
struct FieldOptions: Sendable {
  var paths: [JSONPath] = []
  /// Paths that can't be read.
  var faults: [JSONPath.ParsingError] = []
  var isRequired = false
  /// `nil` leaves it to the mapper.
  var isStrict: Bool?
  /// `nil` leaves it to the mapper.
  var takesEmpty: Bool?
  var takesBools = false
  var takesSingle = false
  var isSensitive = false
  var isInterned = false
  var isJSONString = false
  var elements: FieldTable.ElementPolicy = .drop
  var dates: [DateFormat] = .usual
  var variants: ItemVariants?
}

extension FieldTable {
  /// What becomes of an array or a dictionary when one of its elements can't be read.
  public enum ElementPolicy: String, Sendable, Hashable {
    /// The element is left out and reported. This is the default.
    case drop
    /// The property keeps what it had.
    case keepDefault
    /// The item around it is unusable, as if a required value were missing.
    case fail
  }
}
