extension FieldTable {
  /// The path of a field, or a rule for it. A string literal is a path:
  ///
  /// `f(\.price, "price", "pricing.amount", .required)`.
  public struct Rule<Value: JSONValue>: Sendable {
    enum Content: Sendable {
      case options(@Sendable (inout FieldOptions) -> Void)
      case initial(@Sendable () -> Value)
      case conversion(Conversion)
    }

    /// The field's own reading and writing.
    struct Conversion: Sendable {
      let read: @Sendable (JSONView) throws -> Value
      let write: (@Sendable (Value) -> JSONAny?)?
    }

    let content: Content

    private init(_ content: Content) { self.content = content }

    static func option(_ change: @escaping @Sendable (inout FieldOptions) -> Void) -> Self {
      Self(.options(change))
    }

    /// Reads the value at this path.
    public static func path(_ path: JSONPath) -> Self { option { $0.paths.append(path) } }

    /// Drops an item that has no value for this field.
    public static var required: Self { option { $0.isRequired = true } }

    /// Uses this value when the JSON has none, or none that can be read.
    public static func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Self {
      Self(.initial(value))
    }

    /// Accepts only values of the property's own JSON type.
    public static var strict: Self { option { $0.isStrict = true } }

    /// Converts equivalent values of other JSON types, even if the mapper is strict.
    public static var lenient: Self { option { $0.isStrict = false } }

    /// Reads `true` and `false` as 1 and 0.
    public static var boolsAsNumbers: Self { option { $0.takesBools = true } }

    /// Reads a value that is not an array as an array of one.
    public static var single: Self { option { $0.takesSingle = true } }

    /// Treats an empty string or an empty array in place of an object as missing.
    public static var emptyAsAbsent: Self { option { $0.takesEmpty = true } }

    /// Hides the value in reports and in the `debugDescription` of its item.
    public static var sensitive: Self { option { $0.isSensitive = true } }

    /// Reuses strings that repeat within one page, for long strings that occur often.
    public static var interned: Self { option { $0.isInterned = true } }

    /// Parses the string value as JSON.
    public static var jsonString: Self { option { $0.isJSONString = true } }

    /// Sets the policy for elements that can't be read.
    public static func elements(_ policy: FieldTable.ElementPolicy) -> Self {
      option { $0.elements = policy }
    }

    /// Sets the date formats; the first one that matches is used.
    public static func date(_ formats: DateFormat...) -> Self { option { $0.dates = formats } }

    /// Reads and writes the value with the given functions.
    ///
    /// - Parameters:
    ///   - read: Makes the value. An error it throws is reported, and the property keeps its value.
    ///   - write: Writes the value, when the type's own form is not right.
    public static func convert(
      _ read: @escaping @Sendable (JSONView) throws -> Value,
      back write: (@Sendable (Value) -> JSONAny?)? = nil
    ) -> Self {
      Self(.conversion(Conversion(read: read, write: write)))
    }
  }
}

extension FieldTable.Rule: ExpressibleByStringLiteral {
  /// Creates a path, written as a ``JSONPath``.
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
  /// The errors of paths that can't be parsed.
  var faults: [JSONPath.ParsingError] = []
  var isRequired = false
  /// Overrides the mapper's rule, unless `nil`.
  var isStrict: Bool?
  /// Overrides the mapper's rule, unless `nil`.
  var takesEmpty: Bool?
  var takesBools = false
  var takesSingle = false
  var isSensitive = false
  var isInterned = false
  var isJSONString = false
  var elements: FieldTable.ElementPolicy = .drop
  /// Overrides the mapper's formats, unless `nil`.
  var dates: [DateFormat]?
  var variants: FieldTable.Variants?
}

extension FieldTable {
  /// What happens to an array or a dictionary when one of its elements can't be read.
  public enum ElementPolicy: String, Sendable, Hashable {
    /// The element is dropped and reported. This is the default.
    case drop
    /// The property keeps its value.
    case keepDefault
    /// The item with the field is unusable, as if a required value were missing.
    case fail
  }
}
