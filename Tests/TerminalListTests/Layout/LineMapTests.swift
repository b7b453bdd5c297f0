import ListPresentation
import QuireTesting
import Testing

@testable import TerminalList

/// The meaning of each line.
struct LineMapTests {
  @Test func `titles, rows and the end have their lines`() {
    var map = LineMap([
      .init(rows: 2, hasHeader: true), .init(rows: 0), .init(rows: 1, hasFooter: true),
      .init(rows: 0, hasHeader: true, hasFooter: true),
    ])
    map.hasEnd = true
    #expect(
      (-1..<9).map { map[$0] } == [
        nil, .header(0), .row(RowPosition(row: 0)), .row(RowPosition(row: 1)),
        .row(RowPosition(section: 2, row: 0)), .footer(2), .header(3), .footer(3), .end, nil,
      ])
    #expect(map.count == 8 && map.rowCount == 3)
    #expect(map.rows(in: 0..<8) == RowPosition(row: 0)...RowPosition(section: 2, row: 0))
    #expect(map.rows(in: 4..<8) == nil && LineMap()[0] == nil)
  }

  @Test func `lines, rows and numbers convert both ways in any sections`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(500) {
      let sections = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        LineMap.Section(
          rows: Int.random(in: 0...4, using: &random), hasHeader: Bool.random(using: &random),
          hasFooter: Bool.random(using: &random))
      }
      let map = LineMap(sections)
      var lines: [LineMap.Line] = []
      for (number, section) in sections.enumerated() {
        if section.hasHeader { lines.append(.header(number)) }
        lines += (0..<section.rows).map { .row(RowPosition(section: number, row: $0)) }
        if section.hasFooter { lines.append(.footer(number)) }
      }
      #expect((0..<map.count).compactMap { map[$0] } == lines, "\(random)")
      let rows = lines.compactMap { if case .row(let row) = $0 { row } else { nil } }
      #expect((0..<map.rowCount).compactMap { map.position(ofRow: $0) } == rows, "\(random)")
      for (number, row) in rows.enumerated() {
        #expect(map.number(of: row) == number, "\(random)")
        #expect(map.line(of: row).flatMap { map[$0] } == .row(row), "\(random)")
      }
    }
  }

  @Test func `the selection is always visible`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(500) {
      var map = LineMap()
      var viewport = Viewport()
      for _ in 0..<20 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          let distance = viewport.distance(in: map)
          map = LineMap(
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
              .init(
                rows: Int.random(in: 0...9, using: &random), hasHeader: Bool.random(using: &random))
            })
          map.hasEnd = Bool.random(using: &random)
          viewport.fit(
            map, height: viewport.height, selecting: viewport.selected, distance: distance)
        case 1:
          viewport.fit(
            map, height: Int.random(in: 0...6, using: &random), selecting: viewport.selected)
        case 2: viewport.page(Int.random(in: -2...2, using: &random), map)
        default: viewport.move(by: Int.random(in: -3...3, using: &random), map)
        }
        let lines = viewport.visible(of: map)
        #expect(lines.lowerBound >= 0 && lines.upperBound <= max(0, map.count), "\(random)")
        #expect((viewport.selected == nil) == (map.rowCount == 0), "\(random)")
        if let line = viewport.selected.flatMap({ map.line(of: $0) }), viewport.height > 0 {
          #expect(lines.contains(line), "\(viewport) \(map) · \(random)")
        }
        if map.count >= viewport.height {
          #expect(lines.count == viewport.height, "\(random)")
        } else {
          #expect(lines.lowerBound == 0, "\(random)")
        }
      }
    }
  }

  @Test func `a first row shows its title, and the last one the end`() {
    var map = LineMap([.init(rows: 9, hasHeader: true)])
    map.hasEnd = true
    var viewport = Viewport()
    viewport.fit(map, height: 3, selecting: nil)
    #expect(viewport.visible(of: map) == 0..<3)
    viewport.move(by: 99, map)
    #expect(viewport.visible(of: map) == 8..<11)
    viewport.page(-1, map)
    #expect(viewport.selected == RowPosition(row: 6) && viewport.visible(of: map) == 7..<10)
    viewport.move(by: -99, map)
    #expect(viewport.visible(of: map) == 0..<3)
  }

  @Test func `the first row shows empty sections above it`() {
    let map = LineMap([
      .init(rows: 0, hasHeader: true, hasFooter: true), .init(rows: 9, hasHeader: true),
    ])
    var viewport = Viewport()
    viewport.fit(map, height: 5, selecting: nil)
    viewport.move(by: 99, map)
    viewport.move(by: -99, map)
    #expect(viewport.visible(of: map) == 0..<5)
    // If not all of them fit, the selection stays visible.
    viewport.fit(map, height: 2, selecting: viewport.selected)
    #expect(viewport.visible(of: map) == 2..<4)
  }

  @Test func `three pulls and a release refresh, and another key cancels`() {
    var pull = Pull()
    #expect((0..<3).map { _ in pull.press(threshold: 60) } == [20, 40, 60].map { .pull(to: $0) })
    #expect(pull.press(threshold: 60) == .release && !pull.isPulling)
    _ = pull.press(threshold: 0)
    #expect(pull.cancel() && !pull.cancel())
  }
}
