/// An item that is an object: a row of a list, or something within one.
///
/// A subclass declares where its properties come from. The properties of its superclasses are
/// included without a word.
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
/// To learn how a class is laid out, a few objects of it are made when it is first used, and
/// properties that are observed or computed are tried with values on them. So an initializer should
/// do nothing but set defaults.
///
/// Items are filled off the main actor and handed over whole. They are plain objects: not `Sendable`,
/// and yours alone once you have them.
open class BaseItem: JSONValue {
  /// An item with every property at its default.
  public required init() {}

  /// Where the properties of this class come from. Superclasses have tables of their own.
  open class var fields: FieldTable { FieldTable() }

  /// The classes that objects of a list may be, where that is written in them; `nil` for this class
  /// alone.
  open class var variants: ItemVariants? { nil }

  /// Called when all properties are set, to work out what a table can't say.
  ///
  /// - Parameter json: The object the item was read from.
  /// - Throws: Whatever makes the item unusable. It is left out, and the report says why.
  open func didMap(_ json: JSONView) throws {}

  /// An item of this type, or of one of its variants.
  public class func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Self? {
    guard let item = run.item(of: Self.self, at: place) else { return nil }
    return unsafeDowncast(item, to: Self.self)
  }

  /// The item itself with what the JSON mentions; a new one where the JSON is of another class.
  public class func updated(
    _ item: BaseItem, from place: MappingRun.Place, in run: inout MappingRun
  ) -> Self? {
    guard let plan = run.itemPlan(Self.self, updating: item, at: place) else { return nil }
    guard plan.takeUnretainedValue().type == type(of: item), item is Self else {
      return read(place, in: &run)
    }
    return run.update(item, by: plan, at: place) ? unsafeDowncast(item, to: Self.self) : nil
  }

  /// The item as an object, written through the same table.
  public final func write(as style: JSONAny.Style) -> JSONAny? {
    if style.purpose == .probing { return .string("\(ObjectIdentifier(self))") }
    return withExtendedLifetime(self) {
      .object(ItemPlan.of(Self.self).write(address, for: style.purpose))
    }
  }

  /// An object of the same class with copies of all mapped values.
  public final func copied() -> Self {
    let copy = Self.init()
    let plan = ItemPlan.of(Self.self)
    withExtendedLifetime((self, copy)) { plan.copyFields(from: address, to: copy.address) }
    return copy
  }

  /// An item is a reference to an object.
  public class var shape: ValueShape { ValueShape(.item(Self.self), of: Self.self) }

  /// Where the object is in memory. Good as long as somebody holds on to it.
  final var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

extension BaseItem {
  /// The mapped properties as JSON, in the order of the table. Properties that are `nil` are left out.
  public final var jsonObject: JSONObject {
    withExtendedLifetime(self) { ItemPlan.of(Self.self).write(address, for: .writing) }
  }
}

extension BaseItem: Equatable {
  /// Items are equal when they are of the same class and their mapped values are.
  public static func == (a: BaseItem, b: BaseItem) -> Bool {
    if a === b { return true }
    guard type(of: a) == type(of: b) else { return false }
    return withExtendedLifetime((a, b)) {
      ItemPlan.of(type(of: a)).areEqual(a.address, b.address)
    }
  }
}

extension BaseItem: CustomDebugStringConvertible {
  /// The class and its mapped values, such as `Book(id: 1, title: "Emma")`. Sensitive ones are hidden.
  public var debugDescription: String {
    withExtendedLifetime(self) { ItemPlan.of(Self.self).description(of: address) }
  }
}
