/// An item that is an object: a row of a list, or a value within one.
///
/// A subclass declares where its properties come from. The properties of its superclasses are
/// included automatically.
///
/// ```swift
/// final class Book: BaseItem, Identifiable {
///   var id = 0
///   var title = ""
///   var author: Author?
///
///   override class var fields: FieldTable {
///     FieldTable(Book.self) { f in
///       f(\.id, "id", .required)
///       f(\.title, "book.title")
///       f(\.author, "author")
///     }
///   }
/// }
/// ```
///
/// When a class is first used, a few objects of it are created to find its memory layout, and
/// observed or computed properties are set to probe values. So an initializer should only set
/// defaults.
///
/// Items are filled off the main actor and then transferred. They are plain objects: not
/// `Sendable`, and owned by the code that receives them.
open class BaseItem: JSONValue, BuiltInValue {
  /// Creates an item with every property at its default.
  public required init() {}

  /// The paths and rules of this class's properties. Superclasses have tables of their own.
  open class var fields: FieldTable { FieldTable() }

  /// The classes that an object may have, selected by one of its members; `nil` for this class
  /// alone.
  open class var variants: FieldTable.Variants? { nil }

  /// Called after all properties are set, to derive values that a table can't express.
  ///
  /// - Parameter json: The object the item was read from.
  /// - Throws: Any error that makes the item unusable. The item is dropped, and the report has the
  ///   error.
  open func didMap(_ json: JSONView) throws {}

  /// Reads an item of this class, or of one of its variants.
  class func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Self? {
    guard let item = run.item(of: Self.self, at: place) else { return nil }
    return unsafeDowncast(item, to: Self.self)
  }

  /// Updates the item in place, or returns a new one when the JSON is of another class.
  public class func updated(
    _ item: BaseItem, from place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Self? {
    guard let plan = run.itemPlan(Self.self, updating: item, at: place) else { return nil }
    guard plan.takeUnretainedValue().type == type(of: item), item is Self else {
      return read(place, in: &run)
    }
    return run.update(item, by: plan, at: place) ? unsafeDowncast(item, to: Self.self) : nil
  }

  /// Returns the item as an object, written through the same table.
  final func json(as style: JSONAny.Style) -> JSONAny? {
    if style.purpose == .probing { return .string("\(ObjectIdentifier(self))") }
    return withExtendedLifetime(self) {
      .object(ItemPlan.of(Self.self).write(address, for: style.purpose))
    }
  }

  /// Returns an object of the same class with copies of all mapped values.
  public final func copied() -> Self {
    let copy = Self.init()
    let plan = ItemPlan.of(Self.self)
    withExtendedLifetime((self, copy)) { plan.copyFields(from: address, to: copy.address) }
    return copy
  }

  /// The object's address in memory, valid while something retains the object.
  final var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

extension BaseItem {
  /// The mapped properties as JSON, in the order of the table, without those that are `nil`.
  public final var jsonObject: JSONAny.Object {
    withExtendedLifetime(self) { ItemPlan.of(Self.self).write(address, for: .writing) }
  }
}

extension BaseItem: Equatable {
  /// Returns whether the items have the same class and equal mapped values.
  public static func == (a: BaseItem, b: BaseItem) -> Bool {
    if a === b { return true }
    guard type(of: a) == type(of: b) else { return false }
    return withExtendedLifetime((a, b)) {
      ItemPlan.of(type(of: a)).areEqual(a.address, b.address)
    }
  }
}

extension BaseItem: CustomDebugStringConvertible {
  /// The class and its mapped values, such as `Book(id: 1, title: "Emma")`, with sensitive ones
  /// hidden.
  public var debugDescription: String {
    withExtendedLifetime(self) { ItemPlan.of(Self.self).description(of: address) }
  }
}
