import QuireTesting
import Testing

@testable import TerminalList

/// The decisions of a search, without a list.
struct SearchStateTests {
  /// Examines rows until there is a result.
  private func run(_ state: inout SearchState, _ rows: [String]) {
    while case let pending = state.pending, !pending.isEmpty {
      let place = pending.firstIndex {
        FoldedText(rows[$0]).contains(state.needle)
      }
      state.examined(place.map { $0 + 1 } ?? pending.count, match: place.map { pending[$0] })
    }
  }

  private func search(_ text: String, in rows: [String], from row: Int = 0) -> SearchState {
    var state = SearchState(from: row, rowCount: rows.count)
    for character in text { state.type(character) }
    run(&state, rows)
    return state
  }

  private let rows = ["Kindred", "Dune", "Émile", "dune 2", "Emma"]

  @Test(arguments: [
    ("dune", 0, SearchState.Result.found(row: 1, wrapped: false)),
    ("DUNE", 2, .found(row: 3, wrapped: false)), ("dune", 4, .found(row: 1, wrapped: true)),
    ("em", 0, .found(row: 2, wrapped: false)), ("em", 2, .found(row: 2, wrapped: false)),
    ("x", 3, .notFound), ("", 0, .idle),
  ])
  func `the first match from a row on is found`(
    text: String, row: Int, result: SearchState.Result
  ) {
    #expect(search(text, in: rows, from: row).result == result)
  }

  @Test func `next and previous matches are found in a circle`() {
    var state = search("dune", in: rows)
    state.accept()
    for (direction, from, row, wrapped) in [
      (SearchState.Direction.forward, 1, 3, false), (.forward, 3, 1, true), (.backward, 1, 3, true),
      (.backward, 3, 1, false), (.backward, 0, 3, true), (.forward, 4, 1, true),
    ] {
      state.next(direction, from: from)
      run(&state, rows)
      #expect(state.result == .found(row: row, wrapped: wrapped), "\(direction) from \(from)")
    }
  }

  @Test func `the only match is its own next one`() {
    var state = search("kin", in: rows)
    state.next(.forward, from: 0)
    run(&state, rows)
    #expect(state.result == .found(row: 0, wrapped: true))
  }

  @Test func `a shorter text searches again from the start`() {
    var state = search("dune 2", in: rows)
    #expect(state.result == .found(row: 3, wrapped: false))
    for _ in 0..<2 { _ = state.deleteLast() }
    run(&state, rows)
    #expect(state.result == .found(row: 1, wrapped: false))
    state.deleteAll()
    let hadText = state.deleteLast()
    #expect(state.result == .idle && !hadText)
  }

  @Test func `a typed accent joins its letter, and is deleted with it`() {
    var state = search("e\u{301}m", in: rows)
    #expect(state.text == "ém" && state.result == .found(row: 2, wrapped: false))
    let deleted = (0..<3).map { _ in state.deleteLast() }
    #expect(deleted == [true, true, false])
  }

  @Test func `rows of a new page are searched if nothing was found before them`() {
    var state = search("emma", in: Array(rows.prefix(2)))
    #expect(state.result == .notFound)
    state.rowsChanged(to: 5, onlyAppended: true, selected: 0)
    #expect(state.pending == [2, 3, 4, 0, 1])
    run(&state, rows)
    #expect(state.result == .found(row: 4, wrapped: false))
    state.rowsChanged(to: 9, onlyAppended: true, selected: 4)
    #expect(state.result == .found(row: 4, wrapped: false) && state.pending.isEmpty)
  }

  @Test func `removed rows start an unfinished search again`() {
    var state = SearchState(from: 4, rowCount: 5)
    state.type("x")
    state.examined(3, match: nil)
    state.rowsChanged(to: 2, onlyAppended: false, selected: 1)
    #expect(state.pending == [1, 0])
    state.rowsChanged(to: 0, onlyAppended: false, selected: 0)
    #expect(state.pending.isEmpty && state.result == .notFound)
  }

  @Test func `many rows are examined in parts`() {
    var state = SearchState(from: 999_999, rowCount: 1_000_000)
    state.type("x")
    #expect(state.pending == [999_999] + Array(0..<SearchState.part - 1))
    state.examined(SearchState.part, match: nil)
    #expect(state.pending.first == SearchState.part - 1 && state.result == .searching)
    for _ in 0..<3_000 { state.type("y") }
    #expect(state.text.count == 200)
  }

  @Test(arguments: [
    ("", 0, SearchLine.Rest.nothing, "search in 5 rows"),
    ("", 0, .more, "search in 5 rows loaded so far"), ("dune", 0, .nothing, "row 2 of 5"),
    ("dune", 0, .more, "row 2 of 5 loaded so far"),
    ("dune", 4, .nothing, "row 2 of 5, continued from the other end"),
    ("x", 0, .nothing, "not found"),
    ("x", 0, .more, "not found in the 5 rows loaded so far"),
    ("x", 0, .failed, "not found in the 5 rows loaded so far · the next page failed"),
  ])
  func `the result is in words`(text: String, row: Int, rest: SearchLine.Rest, result: String) {
    #expect(SearchLine(state: search(text, in: rows, from: row), rest: rest).result == result)
  }

  @Test(arguments: [
    (60, "x", " /x▏  not found"), (24, "漢字漢字漢字漢字漢", " /…漢字漢字漢▏  not fou…"),
    (10, "a\u{1B}\u{202E}", " /a▏  row…"), (2, "x", " …"), (1, "x", ""),
  ])
  func `the line shows the end of what is typed`(width: Int, text: String, line: String) {
    var screen = Screen(ScreenSize(columns: width, rows: 1))
    SearchLine(state: search(text, in: rows), rest: .nothing).draw(on: &screen, row: 0)
    #expect(screen.text(ofRow: 0) == line)
  }

  @Test func `no order of keys and changes leads outside of the rows`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(500) {
      var state = SearchState(from: Int.random(in: 0...9, using: &random), rowCount: 5)
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        switch Int.random(in: 0...5, using: &random) {
        case 0: state.type(RandomText.make(&random).first ?? "a")
        case 1: _ = state.deleteLast()
        case 2: state.next(.forward, from: Int.random(in: -1...9, using: &random))
        case 3: state.next(.backward, from: Int.random(in: -1...9, using: &random))
        case 4:
          state.rowsChanged(
            to: Int.random(in: 0...9, using: &random), onlyAppended: Bool.random(using: &random),
            selected: Int.random(in: 0...9, using: &random))
        default:
          let pending = state.pending
          #expect(pending.allSatisfy { (0..<state.rowCount).contains($0) }, "\(random)")
          #expect(Set(pending).count == pending.count, "\(random)")
          state.examined(pending.count, match: pending.randomElement(using: &random))
        }
      }
    }
  }
}
