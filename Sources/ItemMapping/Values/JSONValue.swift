/// A type that properties of items can have.
///
/// The package brings numbers, `Bool`, `String`, `Date`, `URL`, `Data`, `Decimal`, ``JSONAny``, items,
/// optionals, arrays, sets and dictionaries of all these. An enum with raw values needs no more than
/// to name this protocol:
///
/// ```swift
/// enum Cover: String, JSONValue { case soft, hard }
/// ```
///
/// Another type of yours reads and writes itself:
///
/// ```swift
/// extension Colour: JSONValue {
///   static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Colour? {
///     guard let text = String.read(place, in: &run) else { return nil }
///     return Colour(text) ?? run.refuse(place, expected: "a colour such as #FF8800")
///   }
///   func write(as style: JSONAny.Style) -> JSONAny? { .string(text) }
/// }
/// ```
public protocol JSONValue: SendableMetatype {
  /// The value at a place, or `nil` after ``MappingRun/refuse(_:_:expected:hint:)`` or another read
  /// has said why there is none. Where nothing was said, the report can't say much either.
  static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Self?

  /// What an update makes of a value. The default reads a new one; items change in place and keep
  /// what the JSON doesn't mention.
  static func updated(
    _ value: Self, from place: MappingRun.Place, in run: inout MappingRun
  ) -> Self?

  /// The value as JSON; `nil` leaves the member out.
  func write(as style: JSONAny.Style) -> JSONAny?

  /// A value of its own: objects are copied, everything else is as it is.
  func copied() -> Self

  /// Whether two values mean the same. Types that are `Equatable` say so themselves; of others the
  /// JSON is compared.
  func isSame(as other: Self) -> Bool

  /// What the package knows of the type's memory. The default, ``ValueShape/other``, is right for
  /// every type outside of it; the shape of another type tells no more than that.
  static var shape: ValueShape { get }
}

extension JSONValue {
  /// A new value.
  public static func updated(
    _ value: Self, from place: MappingRun.Place, in run: inout MappingRun
  ) -> Self? {
    read(place, in: &run)
  }

  /// The value itself.
  public func copied() -> Self { self }

  /// Whether both are written as the same JSON.
  public func isSame(as other: Self) -> Bool { write(as: .usual) == other.write(as: .usual) }

  /// Nothing is known.
  public static var shape: ValueShape { .other }
}

extension JSONValue where Self: Equatable {
  /// Whether both are equal.
  public func isSame(as other: Self) -> Bool { self == other }
}

extension JSONAny {
  /// How a field writes what can be written in several ways.
  public struct Style: Sendable, Hashable {
    /// How dates are written.
    public let date: DateFormat
    /// What the JSON is for.
    var purpose = Purpose.writing

    enum Purpose: Sendable {
      case writing
      /// To be looked at by people: what is sensitive is hidden.
      case describing
      /// To see whether a property changed: items count by which they are, so that no plan is needed
      /// while one is made.
      case probing
    }

    static let usual = JSONAny.Style(date: .rfc3339)
    static let probing = JSONAny.Style(date: .rfc3339, purpose: .probing)
  }
}

extension MappingRun {
  /// A place in the document that is being mapped. It is of use only while the value is read that it was
  /// given for: in another document there is something else, or nothing, and to look there is a trap.
  public struct Place: Sendable, Hashable {
    fileprivate let index: Int
    /// The ``JSONDocument/number`` of the document.
    let document: UInt64

    /// The place of an index on a document's tape.
    init(_ index: Int, in document: UInt64) {
      self.index = index
      self.document = document
    }

    /// The index on the tape of this document.
    @inline(__always)
    func index(in document: UInt64) -> Int {
      if document != self.document { Self.trap() }
      return index
    }

    @inline(never)
    private static func trap() -> Never {
      fatalError("a MappingRun.Place is of another document than the one being read")
    }
  }
}

extension MappingRun {
  /// The index of a place on the tape.
  @inline(__always)
  func index(of place: MappingRun.Place) -> Int { place.index(in: number) }

  /// The place of an index on the tape.
  @inline(__always)
  func place(_ index: Int) -> MappingRun.Place { MappingRun.Place(index, in: number) }

  /// What is at a place.
  @inline(__always)
  func tag(_ place: MappingRun.Place) -> UInt8 { tape.tag(index(of: place)) }
}
