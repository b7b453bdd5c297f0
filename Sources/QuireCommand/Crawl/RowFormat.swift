internal import Quire
internal import TerminalList

/// How rows are written.
enum RowFormat: String, CaseIterable, Sendable {
  case ndjson, json, csv, table
}

/// Writes rows one page after the other, with no more in memory than a page.
struct RowWriter: Sendable {
  let format: RowFormat
  let selection: Selection?
  /// The columns of csv and table: the selected ones, or those of the first page.
  var columns: [String]? { table?.names }
  /// Members of rows that have no column, up to a limit.
  private(set) var leftOut: Set<String> = []
  /// Whether cells of csv are protected from being taken for formulas.
  var isSafe = false
  /// Whether the output is a terminal, which takes some characters for commands.
  var isShown = false
  private var table: Columns?
  private var widths: [Int] = []
  private var isFirst = true

  private static let widest = 40

  /// `columns` are those of an earlier run, whose output is appended to.
  init(_ format: RowFormat, _ selection: Selection?, columns: [String]? = nil) {
    (self.format, self.selection, table) = (format, selection, columns.map { Columns($0) })
    isFirst = columns == nil
  }

  /// Chooses the columns and their widths by the first page. Fails if there would be too many.
  mutating func fit(to rows: some Collection<JSONView>) throws(UsageError) {
    guard isFirst, !rows.isEmpty, format == .csv || format == .table else { return }
    if table == nil { table = try columns(for: rows) }
    guard format == .table, let table else { return }
    widths = table.names.map { Self.fitted($0, to: Self.widest).width }
    for row in rows {
      for (column, cell) in cells(of: row, table).enumerated() {
        widths[column] = max(widths[column], Self.fitted(cell, to: Self.widest).width)
      }
    }
  }

  /// Returns the bytes of these rows, with the head before the first ones. Fits the columns to these rows
  /// if they are the first and ``fit(to:)`` was not called.
  mutating func bytes(of rows: some Collection<JSONView>) throws(UsageError) -> [UInt8] {
    var text = ""
    switch format {
    case .ndjson:
      for row in rows { text += line(row) + "\n" }
    case .json:
      for row in rows {
        text += (isFirst ? "[\n" : ",\n") + line(row)
        isFirst = false
      }
    case .csv, .table:
      if table == nil || format == .table && widths.isEmpty { try fit(to: rows) }
      guard let table else { return [] }
      if isFirst { text += head(table) }
      isFirst = false
      for row in rows {
        let cells = cells(of: row, table)
        text += format == .csv ? csvLine(cells) : tableLine(cells)
      }
    }
    return Array(text.utf8)
  }

  /// What stands behind the last row.
  func end() -> [UInt8] {
    guard format == .json else { return [] }
    return Array((isFirst ? "[]\n" : "\n]\n").utf8)
  }

  private func line(_ row: JSONView) -> String { selection?.text(of: row) ?? row.oneLine }

  // MARK: - Cells

  private func columns(for rows: some Collection<JSONView>) throws(UsageError) -> Columns {
    if let selection { return Columns(selection.fields.map(\.name)) }
    return try Columns(of: rows, for: format)
  }

  private func head(_ table: Columns) -> String {
    guard format == .csv else { return tableLine(table.names) + rule }
    return csvLine(isSafe ? table.names.map(CSV.harmless) : table.names)
  }

  private mutating func cells(of row: JSONView, _ table: Columns) -> [String] {
    guard selection == nil else { return selection?.values(of: row).map(cell) ?? [] }
    var others: Set<String> = []
    let room = Columns.most - leftOut.count
    let values = table.values(of: row) { if others.count < room { others.insert($0) } }
    leftOut.formUnion(others)
    return values.map(cell)
  }

  private func cell(_ value: JSONView?) -> String {
    guard let value else { return "" }
    // A negative number is data. No JSON number is a formula.
    return isSafe && value.kind != .number ? CSV.harmless(value.cell) : value.cell
  }

  private func csvLine(_ cells: [String]) -> String {
    CSV.line(isShown ? cells.map(\.harmless) : cells)
  }

  // MARK: - Tables

  private func tableLine(_ cells: [String]) -> String {
    let padded = zip(cells, widths).map { cell, columns in
      let (text, width) = Self.fitted(cell, to: columns)
      return text + String(repeating: " ", count: columns - width)
    }
    return padded.joined(separator: "  ").trimmingEnd + "\n"
  }

  /// A cell on one line of at most so many columns of a terminal, and how many it takes.
  private static func fitted(_ cell: String, to columns: Int) -> (text: String, width: Int) {
    let cells = TextWidth.fitted(cell.onOneLine, to: columns)
    return (String(cells.map(\.character)), cells.reduce(0) { $0 + $1.width })
  }

  private var rule: String {
    widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n"
  }
}

extension JSONView {
  /// A text without its quotes, nothing for null, anything else as JSON.
  fileprivate var cell: String {
    switch kind {
    case .string: string ?? ""
    case .null: ""
    default: oneLine
    }
  }
}

extension String {
  fileprivate var onOneLine: String {
    utf8.contains { $0 < 0x20 }
      ? String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 ? " " : $0 })) : self
  }

  fileprivate var trimmingEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}

/// Writes lines of CSV (RFC 4180, with LF line ends).
enum CSV {
  static func line(_ cells: [String]) -> String {
    cells.map { cell in
      let needsQuotes =
        cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || cell.hasPrefix(" ")
        || cell.hasSuffix(" ")
      return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }.joined(separator: ",") + "\n"
  }

  /// Returns the text, with an apostrophe before it if a spreadsheet would take it for a formula.
  ///
  /// Such a text begins with `=`, `+`, `-` or `@`, possibly full-width or after white space and invisible
  /// characters, or it begins with a tab or a line break, which some programs drop.
  static func harmless(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let sign = scalars.first(where: { !$0.isPassedOver }) else {
      return text
    }
    return signs.contains(sign) || ["\t", "\r", "\n"].contains(first) ? "'" + text : text
  }

  private static let signs: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]
}

extension Unicode.Scalar {
  fileprivate var isPassedOver: Bool {
    value < 0x20 || properties.isWhitespace || properties.isDefaultIgnorableCodePoint
  }
}
