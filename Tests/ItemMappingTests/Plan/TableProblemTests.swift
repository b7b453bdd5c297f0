import Support
import Testing

@testable import ItemMapping

@Suite struct TableProblemTests {
  /// Has every kind of problem.
  class Wrong: BaseItem {
    final var good = 0
    final var unmapped = 0
    final var alsoUnmapped: String?
    final var broken = 0
    final var both = 0

    override class var fields: FieldTable {
      FieldTable(Wrong.self) { f in
        f(\.good)
        f(\.broken, "a..b")
        f(\.both, "both")
        f.ignore("both", "nobody")
      }
    }
  }

  /// Has the table of another class.
  final class Foreign: BaseItem {
    var own = 0
    override class var fields: FieldTable { Writer.fields }
  }

  struct ForeignValue: ItemValue {
    static var fields: FieldTable { Price.fields }
  }

  /// A subclass inherits the problems, and a property's problem is reported once.
  final class AlsoWrong: Wrong {}

  static let wrong = [
    "broken: can't parse “a..b”: at character 3, expected one name or index, since a path has no "
      + "patterns, found “.”",
    "both: both mapped and ignored; remove one of them",
    "f.ignore(\"nobody\"): no stored property has this name; correct or remove it",
    "unmapped: not mapped; add f(\\.unmapped, \"…\") or f.ignore(\"unmapped\")",
    "alsoUnmapped: not mapped; add f(\\.alsoUnmapped, \"…\") or "
      + "f.ignore(\"alsoUnmapped\")",
  ]

  @Test func `all problems of a table are found at once`() {
    #expect(PlanProblems.of(Wrong.self) == Self.wrong)
    #expect(PlanProblems.of(AlsoWrong.self) == Self.wrong)
  }

  @Test func `a table of another type is rejected`() {
    #expect(
      PlanProblems.of(Foreign.self) == [
        "the table was written for Writer, which is not a superclass; "
          + "pass the type that declares the table to FieldTable",
        "own: not mapped; add f(\\.own, \"…\") or f.ignore(\"own\")",
      ])
    let plan = ItemPlan(PlanCompiler(ForeignValue.self))
    #expect(plan.problems.contains(.foreignTable("Price")))
    #expect(plan.fields.isEmpty)
  }

  final class Computed: BaseItem {
    private var a = 0
    private var b = 0
    var sum: Int {
      get { a + b }
      set {}
    }
    override class var fields: FieldTable {
      FieldTable(Computed.self) { f in
        f(\.sum)
        f.ignore("a", "b")
      }
    }
  }

  @Test func `a property without a name needs a path`() {
    let problems = PlanProblems.of(Computed.self)
    #expect(problems.count == 1)
    #expect(problems.first?.hasSuffix("the property's name is unknown; give it a path") == true)
  }

  final class Forcing: BaseItem {
    struct Size: ItemValue {
      var unit = ""
      var tags: [String] = []
      static var fields: FieldTable {
        FieldTable(Size.self) { f in
          f(\.unit)
          f(\.tags)
        }
      }
    }
    var size: Size? = Size()
    var writer: Writer?
    override class var fields: FieldTable {
      FieldTable(Forcing.self) { f in
        f(\.size, "size")
        f(\.size!.unit, "unit")
        f(\.writer, "writer")
        f(\.writer!.name, "author")
      }
    }
  }

  @Test func `a forced optional in a key path is rejected`() {
    #expect(
      PlanProblems.of(Forcing.self) == [
        "\\Forcing.size!.unit: the optional may be nil; map the optional itself",
        "\\Forcing.writer!.name: the optional may be nil; map the optional itself",
      ])
    #expect(ItemPlan(PlanCompiler(Forcing.self)).fields.map(\.name) == ["size", "writer"])
  }

  final class Underscored: BaseItem {
    // swift-format-ignore: NoLeadingUnderscores
    var _id = 0
    var id = 1
    // swift-format-ignore: NoLeadingUnderscores
    var _hidden = 2
    lazy var late = 3
    @Clamped var clamped = 4

    override class var fields: FieldTable {
      FieldTable(Underscored.self) { f in
        f(\._id, "a")
        f(\.id, "b")
        f.ignore("_hidden", "late", "clamped")
      }
    }
  }

  @Test func `names may start with underscores`() throws {
    #expect(PlanProblems.of(Underscored.self) == [])
    let item = try read(Underscored.self, #"{"a":5,"b":6}"#).value
    #expect([item._id, item.id] == [5, 6])
  }

  #if DEBUG
    @Test func `the first use of an invalid table reports all problems`() async {
      let result = await #expect(
        processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
      ) {
        _ = try ItemMapper().items(Wrong.self, in: JSONDocument("[]"))
        _ = try ItemMapper().items(Wrong.self, in: JSONDocument("[{}]"))
      }
      let lines = ["the field table of Wrong is invalid:"] + Self.wrong.map { "  - \($0)" }
      #expect(
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
          == lines.map { $0 + "\n" }.joined())
    }

    @Test func `the stop keeps earlier output and runs the handlers of an exit`() async {
      let result = await #expect(
        processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardOutputContent]
      ) {
        print("printed before")
        atexit { print("restored") }
        _ = Wrong().jsonObject
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(output.contains("printed before\nrestored\n"), "\(output)")
    }

    @Test func `several threads that stop at once report the problems once`() async {
      let result = await #expect(
        processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
      ) {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { _ = Wrong().jsonObject } }
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.split(separator: "\n").count == Self.wrong.count + 1, "\(text)")
    }

    @Test func `the first use of another type's table reports it`() async {
      let result = await #expect(
        processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
      ) {
        _ = ForeignValue().jsonObject
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        text.contains(
          "the table was written for Price, which is not a superclass; "
            + "pass the type that declares the table to FieldTable"
        ))
    }
  #endif
}

/// Returns the problems of a plan without the assertion of its first use.
enum PlanProblems {
  static func of(_ type: BaseItem.Type) -> [String] {
    ItemPlan(PlanCompiler(type)).problems.map(\.description)
  }
}
