internal import Quire
internal import Support
internal import TerminalList

/// The output format of rows.
enum RowFormat: String, CaseIterable, Sendable {
  case ndjson, json, csv, table
}

/// Formats rows page by page, with at most one page in memory.
struct RowWriter: Sendable {
  let format: RowFormat
  let selection: Selection?
  /// The columns of csv and table: those selected, or those of the first page.
  var columns: [String]? { table?.names }
  /// The names of members that have no column, up to a limit.
  private(set) var omittedNames: Set<String> = []
  /// Whether csv texts that look like formulas get an apostrophe.
  var isSafe = false
  /// Whether the output is a terminal, so that control characters are replaced, in JSON by escapes.
  var isTerminal = false
  /// The number of characters that are half of a pair, which csv and table replace.
  private(set) var replacedCharacters = 0
  private var table: Columns?
  private var widths: [Int] = []
  private var isFirst = true

  private static let maximumWidth = 40
  /// The number of rows that choose the widths of a table.
  private static let screen = 100

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - columns: The columns of an earlier run, if its output is appended to.
  ///   - names: The members that had no column there.
  init(
    _ format: RowFormat, _ selection: Selection?, columns: [String]? = nil,
    omitting names: Set<String> = []
  ) {
    (self.format, self.selection, table) = (format, selection, columns.map { Columns($0) })
    omittedNames = names
    isFirst = columns == nil
  }

  /// Chooses the columns from the first page, and their widths from its first rows. Throws if there are too many.
  mutating func fit(to rows: some Collection<JSONView>) throws(UsageError) {
    guard isFirst, !rows.isEmpty, format == .csv || format == .table else { return }
    if table == nil { table = try columns(for: rows) }
    guard format == .table, let table else { return }
    widths = table.names.map { Self.fitted(shown($0), to: Self.maximumWidth).width }
    for row in rows.prefix(Self.screen) {
      for (column, cell) in cells(of: row, table).enumerated() {
        widths[column] = max(widths[column], Self.fitted(cell, to: Self.maximumWidth).width)
      }
    }
  }

  /// Returns the bytes of the rows, with the header before the first ones. Fits the columns to these rows if
  /// they are the first and ``fit(to:)`` was not called.
  mutating func bytes(of rows: some Collection<JSONView>) throws(UsageError) -> [UInt8] {
    var bytes: [UInt8] = []
    switch format {
    case .ndjson where selection == nil && !isTerminal:
      JSONView.appendLines(of: rows, to: &bytes)
    case .ndjson:
      for row in rows {
        append(row, to: &bytes)
        bytes.append(0x0A)
      }
    case .json:
      for row in rows {
        bytes += (isFirst ? "[\n" : ",\n").utf8
        append(row, to: &bytes)
        isFirst = false
      }
    case .csv, .table:
      if table == nil || format == .table && widths.isEmpty { try fit(to: rows) }
      guard let table else { return [] }
      if isFirst { bytes += header(table).utf8 }
      isFirst = false
      for row in rows {
        let cells = cells(of: row, table)
        bytes += (format == .csv ? CSV.line(cells) : tableLine(cells)).utf8
      }
    }
    return bytes
  }

  /// Returns the bytes after the last row.
  func end() -> [UInt8] {
    guard format == .json else { return [] }
    return Array((isFirst ? "[]\n" : "\n]\n").utf8)
  }

  /// Appends a row as JSON on one line.
  private func append(_ row: JSONView, to bytes: inout [UInt8]) {
    if selection == nil, !isTerminal { return row.appendOneLine(to: &bytes) }
    let text = selection?.text(of: row) ?? row.oneLine
    bytes += (isTerminal ? text.terminalJSON : text).utf8
  }

  // MARK: - Cells

  private func columns(for rows: some Collection<JSONView>) throws(UsageError) -> Columns {
    if let selection { return Columns(selection.fields.map(\.name)) }
    return try Columns(of: rows, for: format)
  }

  private func header(_ table: Columns) -> String {
    let names = table.names.map(shown)
    guard format == .csv else { return tableLine(names) + rule }
    return CSV.line(isSafe ? names.map(CSV.escapingFormula) : names)
  }

  private mutating func cells(of row: JSONView, _ table: Columns) -> [String] {
    guard selection == nil else { return selection?.values(of: row).map(cell) ?? [] }
    var others: Set<String> = []
    let room = Columns.maximumCount - omittedNames.count
    let values = table.values(of: row) { if others.count < room { others.insert($0) } }
    omittedNames.formUnion(others)
    return values.map(cell)
  }

  private func cell(_ value: JSONView?) -> String {
    guard let value else { return "" }
    let text = shown(value.cell)
    // A JSON number is never a formula, not even a negative one.
    return isSafe && value.kind != .number ? CSV.escapingFormula(text) : text
  }

  /// Returns a text of the server as it is written.
  private func shown(_ text: String) -> String { isTerminal ? text.terminalSafe : text }

  /// Counts the characters of a page that csv and table can't write.
  mutating func count(_ repairs: [JSONDocument.Repair]) {
    guard format == .csv || format == .table else { return }
    replacedCharacters += repairs.count { $0.kind == .loneSurrogate }
  }

  // MARK: - Tables

  private func tableLine(_ cells: [String]) -> String {
    let padded = zip(cells, widths).map { cell, columns in
      // A cell that is wider than those of the first rows moves the rest of its line, and isn't cut.
      let (text, width) = Self.fitted(cell, to: max(columns, Self.maximumWidth))
      return text + String(repeating: " ", count: max(0, columns - width))
    }
    return padded.joined(separator: "  ").trimmingEnd + "\n"
  }

  /// Returns a cell on one line, cut to a number of terminal columns, and its width.
  private static func fitted(_ cell: String, to columns: Int) -> (text: String, width: Int) {
    let cells = TextWidth.fitted(cell.onOneLine, to: columns)
    return (String(cells.map(\.character)), cells.reduce(0) { $0 + $1.width })
  }

  private var rule: String {
    widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n"
  }
}

extension JSONView {
  /// A string without its quotes, an empty text for null, everything else as JSON.
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

/// Formats lines of CSV (RFC 4180, with LF line ends).
enum CSV {
  static func line(_ cells: [String]) -> String {
    cells.map { cell in
      let needsQuotes =
        cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || cell.hasPrefix(" ")
        || cell.hasSuffix(" ")
      return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }.joined(separator: ",") + "\n"
  }

  /// Returns the text, with an apostrophe in front if a spreadsheet would take it for a formula.
  ///
  /// Such a text begins with `=`, `+`, `-` or `@`, possibly full-width or after white space and invisible
  /// characters, or it begins with a tab or a line break, which some programs drop.
  static func escapingFormula(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let sign = scalars.first(where: { !$0.isIgnored }) else {
      return text
    }
    return signs.contains(sign) || ["\t", "\r", "\n"].contains(first) ? "'" + text : text
  }

  private static let signs: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]
}

extension Unicode.Scalar {
  fileprivate var isIgnored: Bool {
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .surrogate, .unassigned, .privateUse:
      return true
    default: return false
    }
  }
}

extension RowWriter {
  /// Whether a program that reads the output misses values of rows. A table is for people.
  var losesValues: Bool { format == .csv && !omittedNames.isEmpty }

  /// Which members of rows have no column, and what to do; `nil` if all have one.
  var omission: String? {
    guard !omittedNames.isEmpty else { return nil }
    let omitted = omittedNames.sorted()
    let names = (columns ?? []) + omitted
    let isShort =
      names.count <= 8
      && names.allSatisfy { $0.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x5F } }
    return
      "\(format) has only the columns of the first page, so members of later rows are left out: "
      + omitted.prefix(8).joined(separator: ", ")
      + (omitted.count > 8 ? " and \(omitted.count - 8) more" : "")
      + "; name the columns with --select"
      + (isShort ? ", as in --select \(names.joined(separator: ","))" : "")
  }

  /// What else the output lacks of the rows.
  var notes: [String] {
    var notes: [String] = []
    if replacedCharacters > 0 {
      let halves =
        replacedCharacters == 1
        ? "half of a character (a lone surrogate)"
        : "\(replacedCharacters) halves of characters (lone surrogates)"
      notes.append("\(halves) became U+FFFD; --format ndjson writes what the server sent")
    }
    return notes
  }
}

extension Columns {
  /// Collects the member names of the rows, in order of appearance. Throws if there are too many.
  init(of rows: some Collection<JSONView>, for format: RowFormat) throws(UsageError) {
    let names = Self.names(of: rows, limit: Self.maximumCount + 1)
    guard names.count <= Self.maximumCount else {
      throw UsageError(
        "too many columns for --format \(format): the rows of the first page have more than 1,000"
          + " members; choose some with --select NAME,…")
    }
    self.init(names)
  }
}
