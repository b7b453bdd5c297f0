import Testing

@testable import ItemMapping

@Suite struct ItemVariantsTests {
  class Entry: BaseItem {
    final var id = 0

    override class var fields: FieldTable {
      FieldTable(Entry.self) { f in f(\.id, "id", .required) }
    }
    override class var variants: FieldTable.Variants? {
      FieldTable.Variants(key: "type", ["book": Paper.self, "film": Film.self, "7": Film.self])
    }
  }

  final class Paper: Entry {
    final var pages = 0
    override class var fields: FieldTable {
      FieldTable(Paper.self) { f in f(\.pages, "pages") }
    }
  }

  final class Film: Entry {
    final var minutes = 0
    override class var fields: FieldTable {
      FieldTable(Film.self) { f in f(\.minutes, "minutes", .required) }
    }
  }

  /// Has a class for unknown objects.
  class Post: BaseItem {
    final var text = ""
    override class var fields: FieldTable {
      FieldTable(Post.self) { f in f(\.text, "text") }
    }
    override class var variants: FieldTable.Variants? {
      FieldTable.Variants(key: "kind", ["photo": Photo.self], else: Post.self)
    }
  }

  final class Photo: Post {}

  /// Selects the classes by rules of its fields.
  final class Shelf: BaseItem {
    var first: Work?
    var main: Work = Work()
    var works: [Work] = []
    var more: [Work]?
    var byName: [String: Work] = [:]

    override class var fields: FieldTable {
      FieldTable(Shelf.self) { f in
        f(\.first, "first", .variants(key: "t", ["novel": Novel.self], else: Work.self))
        f(\.main, "main", .variants(key: "t", ["novel": Novel.self, "work": Work.self]))
        f(\.works, "works", .variants(key: "t", ["novel": Novel.self, "work": Work.self]))
        f(\.more, "more", .variants(key: "t", ["true": Novel.self]))
        f(\.byName, "by_name", .variants(key: "t", ["1": Novel.self], else: Work.self))
      }
    }
  }

  /// Has items that select their class themselves.
  final class Desk: BaseItem {
    var top: Entry?
    var below = Entry()
    var papers: [Paper] = []
    var entries: [String: Entry?] = [:]

    override class var fields: FieldTable {
      FieldTable(Desk.self) { f in
        f(\.top, "top")
        f(\.below, "below")
        f(\.papers, "papers")
        f(\.entries, "entries")
      }
    }
  }

  static let mixed = """
    [{"type":"book","id":1,"pages":10},{"type":"film","id":2,"minutes":90},{"type":"song","id":3},
     {"id":4},{"type":7,"id":5,"minutes":1},{"type":"film","id":6},{"type":null,"id":7},
     {"type":"book","id":8}]
    """

  @Test func `each element has the class that its object names`() throws {
    let mapped = try ItemMapper().items(Entry.self, in: JSONDocument(Self.mixed))
    #expect(mapped.value.map(\.id) == [1, 2, 5, 8])
    #expect(mapped.value.map { "\(type(of: $0))" } == ["Paper", "Film", "Film", "Paper"])
    #expect((mapped.value[0] as? Paper)?.pages == 10)
    #expect((mapped.value[1] as? Film)?.minutes == 90)
  }

  @Test func `an object of an unknown class is dropped and reported`() throws {
    let report = try ItemMapper().items(Entry.self, in: JSONDocument(Self.mixed)).report
    #expect(
      report.description == """
        3 times: $[2]: expects a variant of Entry, found an object (dropped); 'type' is "song"
        $[5]['minutes']: Film.minutes expects Int, found nothing (dropped)
        """)
    #expect(report.count(.dropped) == 4)
  }

  @Test func `a list of one class never has items of another`() throws {
    let mapped = try ItemMapper().items(Paper.self, in: JSONDocument(Self.mixed))
    #expect(mapped.value.map(\.id) == [1, 8])
    #expect(mapped.value.allSatisfy { type(of: $0) == Paper.self })
    #expect(mapped.report.count(.dropped) == 6)
  }

  @Test func `the fallback class is used for unknown objects`() throws {
    let mapped = try ItemMapper().items(
      Post.self,
      in: JSONDocument(#"[{"kind":"photo","text":"a"},{"kind":"poll","text":"b"},{"text":"c"}]"#))
    #expect(mapped.value.map { "\(type(of: $0)) \($0.text)" } == ["Photo a", "Post b", "Post c"])
    #expect(mapped.report.isClean)
  }

  @Test func `a field can select the classes of its items`() throws {
    let mapped = try read(
      Shelf.self,
      """
      {"first":{"t":"novel","id":1},"main":{"t":"novel","id":2,"pages":3},
       "works":[{"t":"work","id":3},{"t":"novel","id":4},{"t":"poem","id":5}],
       "more":[{"t":true,"id":6},{"id":7}],"by_name":{"a":{"t":1,"id":8},"b":{"t":2,"id":9}}}
      """)
    let shelf = mapped.value
    #expect(shelf.first is Novel)
    #expect((shelf.main as? Novel)?.pages == 3)
    #expect(shelf.works.map { "\(type(of: $0)) \($0.id)" } == ["Work 3", "Novel 4"])
    #expect(shelf.more?.map { "\(type(of: $0)) \($0.id)" } == ["Novel 6"])
    #expect(shelf.byName.mapValues { "\(type(of: $0))" } == ["a": "Novel", "b": "Work"])
    #expect(
      mapped.report.groups.flatMap(\.samples).map { "\($0.path) \($0.target) \($0.kind)" } == [
        "$['works'][2] Shelf.works unknownVariant", "$['more'][1] Shelf.more unknownVariant",
      ])
  }

  @Test func `a single item of unknown class leaves the property unchanged`() throws {
    let mapped = try read(Shelf.self, #"{"main":{"t":"poem","id":1}}"#)
    #expect(mapped.value.main.id == 0)
    #expect(
      mapped.report.description == """
        $['main']: Shelf.main expects a variant of Work, found an object (property unchanged); 't' is "poem"
        """)
  }

  @Test func `properties of items use the variants of their class`() throws {
    let mapped = try read(
      Desk.self,
      """
      {"top":{"type":"film","id":1,"minutes":2},"below":{"type":"book","id":3,"pages":4},
       "papers":[{"type":"film","id":5,"minutes":1},{"type":"book","id":6}],
       "entries":{"a":{"type":"film","id":7,"minutes":1},"b":null,"c":{"type":"x"}}}
      """)
    let desk = mapped.value
    #expect((desk.top as? Film)?.minutes == 2)
    #expect((desk.below as? Paper)?.pages == 4)
    #expect(desk.papers.map(\.id) == [6])
    #expect(desk.entries.keys.sorted() == ["a", "b"])
    #expect(desk.entries["a"] is Film?)
    #expect(mapped.report.count(.dropped) == 2)
  }

  @Test func `an update of the same class keeps the item`() throws {
    let desk = try read(Desk.self, #"{"top":{"type":"book","id":1,"pages":2}}"#).value
    let top = desk.top
    let report = try ItemMapper().update(
      desk, from: JSONDocument(#"{"top":{"type":"book","pages":3}}"#))
    #expect(desk.top === top)
    #expect((desk.top as? Paper)?.pages == 3)
    #expect(desk.top?.id == 1)
    #expect(report.isClean)
  }

  @Test func `an update of another class replaces the item`() throws {
    let desk = try read(
      Desk.self, #"{"top":{"type":"book","id":1},"below":{"type":"book","id":1}}"#
    ).value
    let report = try ItemMapper().update(
      desk,
      from: JSONDocument(
        #"{"top":{"type":"film","id":2,"minutes":3},"below":{"type":"film","id":3,"minutes":4}}"#))
    #expect((desk.top as? Film)?.minutes == 3)
    #expect((desk.below as? Film)?.minutes == 4)
    #expect(report.isClean)
  }

  @Test func `an update can't change the class of an item`() throws {
    let entry: Entry = try read(Entry.self, #"{"type":"book","id":1,"pages":5}"#).value
    #expect(throws: MappingError.self) {
      try ItemMapper().update(entry, from: JSONDocument(#"{"type":"film","id":2,"minutes":3}"#))
    }
    #expect(entry.id == 1)
  }

  @Test func `variants of a field override those of the class`() throws {
    final class Box: BaseItem {
      var entry: Entry?
      override class var fields: FieldTable {
        FieldTable(Box.self) { f in
          f(\.entry, "entry", .variants(key: "k", ["f": Film.self], else: Paper.self))
        }
      }
    }
    let one = try read(Box.self, #"{"entry":{"type":"book","k":"f","id":1,"minutes":1}}"#).value
    #expect(one.entry is Film)
    let other = try read(Box.self, #"{"entry":{"type":"film","id":1}}"#).value
    #expect(other.entry is Paper)
  }
}
