import ListModel
import ListPresentation
import ListReading
import Testing

class Entry: @unchecked Sendable {}
final class Post: Entry, @unchecked Sendable {}
class Photo: Entry, @unchecked Sendable {}
final class Portrait: Photo, @unchecked Sendable {}

/// An item that chooses its own kind.
final class Advert: Entry, CellItem, @unchecked Sendable {
  let cellKind: CellKind?
  init(_ kind: CellKind?) { cellKind = kind }
}

/// The kind that shows each item.
struct CellKindsTests {
  private var kinds: CellKinds<Entry> {
    var kinds = CellKinds<Entry>()
    kinds.add("photo", for: Photo.self)
    kinds.add("post", for: Post.self)
    return kinds
  }

  @Test func `each item is shown by the kind of its type`() {
    #expect(kinds.kind(of: Post()) == "post")
    #expect(kinds.kind(of: Photo()) == "photo")
    #expect(kinds.kind(of: Portrait()) == "photo")
    #expect(kinds.kind(of: Entry()) == .standard)
    var kinds = kinds
    kinds.addStandard { _ in }
    kinds.add("portrait", for: Portrait.self)
    #expect(kinds.kind(of: Portrait()) == "portrait")
    #expect(kinds.kind(of: Photo()) == "photo")
    #expect(kinds.kind(of: Entry()) == .standard)
  }

  @Test func `an item can choose its kind, and an empty name is ignored`() {
    var kinds = kinds
    kinds.add("advert", for: Advert.self)
    #expect(kinds.kind(of: Advert("special")) == "special")
    #expect(kinds.kind(of: Advert("")) == "advert")
    #expect(kinds.kind(of: Advert(nil)) == "advert")
  }

  @Test
  func `the list chooses the kind if the item doesn't or isn't asked`() {
    var kinds = kinds
    kinds.choose = { $0 is Advert ? "chosen" : $0 is Post ? "" : nil }
    #expect(kinds.kind(of: Advert(nil)) == "chosen")
    #expect(kinds.kind(of: Advert("special")) == "special")
    kinds.asksItems = false
    #expect(kinds.kind(of: Advert("special")) == "chosen")
    #expect(kinds.kind(of: Post()) == "post" && kinds.kind(of: Photo()) == "photo")
  }

  @Test func `standard rules don't apply to items of a named kind`() {
    var kinds = CellKinds<Post>()
    kinds.add("post", for: Post.self)
    kinds.addStandard { $0.height = { _, _ in 10 } }
    #expect(kinds.kind(of: Post()) == "post")
    #expect(CellKinds.Heights(kinds, identity: .none).height(of: Post()) == 44)
    kinds.choose = { _ in .standard }
    #expect(CellKinds.Heights(kinds, identity: .none).height(of: Post()) == 10)
  }

  @Test func `one list can hold unrelated types`() {
    var kinds = CellKinds<any Sendable>()
    kinds.add("number", for: Int.self)
    kinds.add("text", for: String.self)
    #expect(kinds.kind(of: 1) == "number")
    #expect(kinds.kind(of: "a") == "text")
    #expect(kinds.kind(of: 1.5) == .standard)
  }
}
