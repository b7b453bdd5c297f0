import QuireTesting
import Testing

@testable import TerminalList

/// The widths of columns on screens of any width.
struct ColumnPlanTests {
  private static let rows = [
    ["The Left Hand of Darkness", "1", "Ursula K. Le Guin", "1969-03-01", "9.50"],
    ["三体", "12", "刘慈欣", "2008-01-01", "1200.00"],
    ["👨‍👩‍👧‍👦 Families", "7", "Ada", "2020-12-31", "-5"],
  ]

  private func plan(_ rows: [[String]] = rows) -> ColumnPlan {
    var plan = ColumnPlan([
      .init("title", .text), .init("id", .number), .init("author", .text),
      .init("published", .date), .init("price", .number),
    ])
    plan.fit(rows)
    return plan
  }

  private func lines(_ plan: ColumnPlan, _ rows: [[String]] = rows, width: Int) -> [String] {
    var screen = Screen(ScreenSize(columns: width, rows: rows.count))
    let slots = plan.slots(in: width - 2)
    for (place, row) in rows.enumerated() {
      screen.put(row, in: slots, row: place, from: 1, style: .plain, restStyle: .plain)
    }
    return rows.indices.map { screen.text(ofRow: $0) }
  }

  @Test(arguments: [
    (
      200,
      [
        " The Left Hand of Darkness   1  Ursula K. Le Guin  1969-03-01     9.50",
        " 三体                       12  刘慈欣             2008-01-01  1200.00",
        " 👨‍👩‍👧‍👦 Families                 7  Ada                2020-12-31       -5",
      ]
    ),
    (
      80,
      [
        " The Left Hand of Darkness   1  Ursula K. Le G…  1969-03-01     9.50",
        " 三体                       12  刘慈欣           2008-01-01  1200.00",
        " 👨‍👩‍👧‍👦 Families                 7  Ada              2020-12-31       -5",
      ]
    ),
    (
      40,
      [
        " The Left Hand of Darkne…   1  Ursula …",
        " 三体                      12  刘慈欣",
        " 👨‍👩‍👧‍👦 Families                7  Ada",
      ]
    ),
    (10, [" The Lef…", " 三体", " 👨‍👩‍👧‍👦 Fami…"]),
  ])
  func `columns are aligned, and the last ones are left out`(width: Int, expected: [String]) {
    #expect(lines(plan(), width: width) == expected)
  }

  @Test func `columns only become wider, and texts in steps`() {
    var plan = plan()
    let before = plan.wanted
    for row in Self.rows { plan.widen(row) }
    #expect(plan.wanted == before)
    plan.widen(["x", "1000", "Gabriel García Márquez", "", ""])
    #expect(plan.wanted == [before[0], 4, 24, before[3], before[4]])
    plan.widen(["x", "2", "Another Author of 24 let", "", ""])
    #expect(plan.wanted[2] == 24)
    plan.widen([String(repeating: "漢", count: 500), "x", String(repeating: "a", count: 500)])
    #expect(plan.wanted[0] == 64 && plan.wanted[2] == 40)
  }

  @Test func `a plan is never wider than the screen, and a title alone has all of it`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(1_000) {
      var plan = plan([])
      let rows = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (0..<Int.random(in: 0...7, using: &random)).map { _ in RandomText.make(&random) }
      }
      plan.fit(Array(rows.prefix(1)))
      for row in rows { plan.widen(row) }
      let width = Int.random(in: -1...120, using: &random)
      let slots = plan.slots(in: width)
      #expect(slots.isEmpty == (width <= 0))
      #expect(slots.allSatisfy { $0.width > 0 && $0.start + $0.width <= width }, "\(random)")
      for (left, right) in zip(slots, slots.dropFirst()) {
        #expect(left.start + left.width + ColumnPlan.gap == right.start, "\(random)")
      }
      if slots.count == 1 { #expect(slots[0].width == width) }
    }
  }

  @Test func `a plan without columns has no slots`() {
    #expect(ColumnPlan([]).slots(in: 80).isEmpty)
  }
}
