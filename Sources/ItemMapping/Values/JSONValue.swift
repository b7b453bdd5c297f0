/// A type that properties of items can have.
///
/// The package supports numbers, `Bool`, `String`, `Date`, `URL`, `Data`, `Decimal`, ``JSONAny``,
/// items, and optionals, arrays, sets and dictionaries of all these. An enum with raw values only
/// has to declare conformance:
///
/// ```swift
/// enum Cover: String, JSONValue { case soft, hard }
/// ```
///
/// Any other type reads and writes itself:
///
/// ```swift
/// extension Color: JSONValue {
///   static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Color? {
///     guard let text = String.read(place, in: &run) else { return nil }
///     return Color(text) ?? run.refuse(place, expected: "a color such as #FF8800")
///   }
///   func write(as style: JSONAny.Style) -> JSONAny? { .string(text) }
/// }
/// ```
///
/// `null` counts as a missing value, so only optionals, ``Omittable`` and types of any JSON have to handle it.
public protocol JSONValue: SendableMetatype {
  /// Reads the value at a place. Returns `nil` after ``ItemMapper/Run/refuse(_:_:expected:hint:)``, or
  /// another read that failed, has recorded the reason. Without a recorded reason the report has no
  /// details.
  static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Self?

  /// Returns the updated value. The default reads a new value; items are updated in place and keep
  /// properties that the JSON doesn't mention.
  static func updated(
    _ value: Self, from place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Self?

  /// Returns the value as JSON; `nil` omits the member.
  func write(as style: JSONAny.Style) -> JSONAny?

  /// Returns an independent value: objects are copied, all other values are returned unchanged.
  func copied() -> Self

  /// Returns whether two values are equivalent. `Equatable` types use `==`; for others the JSON is
  /// compared.
  func isSame(as other: Self) -> Bool
}

extension JSONValue {
  /// Reads a new value.
  public static func updated(
    _ value: Self, from place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Self? {
    read(place, in: &run)
  }

  /// Returns the value itself.
  public func copied() -> Self { self }

  /// Returns whether both are written as the same JSON.
  public func isSame(as other: Self) -> Bool { write(as: .usual) == other.write(as: .usual) }
}

/// A type of the package that properties can have.
///
/// Its extension has the public functions that ``JSONValue`` requires, so that types such as `String` don't get them as
/// public members of their own. They are inlined, so reading a value takes no further call.
protocol BuiltInValue: JSONValue {
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Self?

  func json(as style: JSONAny.Style) -> JSONAny?
}

extension BuiltInValue {
  /// Reads the value as the type does.
  @inline(__always)
  public static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Self? {
    value(at: place, in: &run)
  }

  /// Returns the value as the type writes it.
  @inline(__always)
  public func write(as style: JSONAny.Style) -> JSONAny? { json(as: style) }
}

/// A type of the package that contains other values.
protocol BuiltInContainer: BuiltInValue {
  static func value(
    _ value: Self, updatedFrom place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Self?

  func copy() -> Self

  func equals(_ other: Self) -> Bool
}

extension BuiltInContainer {
  /// Updates the value as the type does.
  @inline(__always)
  public static func updated(
    _ value: Self, from place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Self? {
    self.value(value, updatedFrom: place, in: &run)
  }

  static func value(
    _ value: Self, updatedFrom place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Self? {
    self.value(at: place, in: &run)
  }

  /// Returns an independent value, as the type makes it.
  @inline(__always)
  public func copied() -> Self { copy() }

  /// Returns whether two values are equivalent, as the type decides it.
  @inline(__always)
  public func isSame(as other: Self) -> Bool { equals(other) }
}

/// A type that has a value for `null`. For all others `null` counts as a missing value, and isn't read.
package protocol NullConvertible {}

extension JSONValue {
  /// Whether the type has a value for `null`.
  static var acceptsNull: Bool { Self.self is any NullConvertible.Type }
}

extension JSONValue where Self: Equatable {
  /// Returns whether both are equal.
  public func isSame(as other: Self) -> Bool { self == other }
}

extension JSONAny {
  /// How a field writes values that have more than one form.
  public struct Style: Sendable, Hashable {
    /// How dates are written.
    public let date: DateFormat
    /// The purpose of the JSON.
    var purpose = Purpose.writing

    enum Purpose: Sendable {
      case writing
      /// For display to people, with sensitive values hidden.
      case describing
      /// For detecting whether a property changed. Objects are compared by identity, so that no
      /// plan is needed while one is being made.
      case probing
    }

    static let usual = JSONAny.Style(date: .rfc3339)
    static let probing = JSONAny.Style(date: .rfc3339, purpose: .probing)
  }
}

extension ItemMapper.Run {
  /// A place in the document that is being mapped. It is only valid during the read that receives
  /// it: using it with another document traps.
  public struct Place: Sendable, Hashable {
    fileprivate let index: Int
    /// The ``JSONDocument/number`` of the document.
    let document: UInt64

    /// Creates the place of an index on a document's tape.
    init(_ index: Int, in document: UInt64) {
      self.index = index
      self.document = document
    }

    /// Returns the index on the tape of this document, and traps if the place is from another one.
    @inline(__always)
    func index(in document: UInt64) -> Int {
      if document != self.document { Self.trap() }
      return index
    }

    @inline(never)
    private static func trap() -> Never {
      fatalError("an ItemMapper.Run.Place was used with a document other than its own")
    }
  }
}

extension ItemMapper.Run {
  /// Returns the index of a place on the tape.
  @inline(__always)
  func index(of place: ItemMapper.Run.Place) -> Int { place.index(in: number) }

  /// Returns the place of an index on the tape.
  @inline(__always)
  func place(_ index: Int) -> ItemMapper.Run.Place { ItemMapper.Run.Place(index, in: number) }

  /// Returns the tag of the value at a place.
  @inline(__always)
  func tag(_ place: ItemMapper.Run.Place) -> UInt8 { tape.tag(index(of: place)) }
}
