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
  private(set) var columns: [String]?
  /// Members of rows that have no column.
  private(set) var leftOut: Set<String> = []
  /// Whether the output is a terminal, which takes some characters for commands.
  var isShown = false
  private var widths: [Int] = []
  private var isFirst = true

  private static let widest = 40
  /// The column of rows that are no objects.
  private static let value = "value"

  /// `columns` are those of an earlier run, whose output is appended to.
  init(_ format: RowFormat, _ selection: Selection?, columns: [String]? = nil) {
    (self.format, self.selection, self.columns) = (format, selection, columns)
    isFirst = columns == nil
  }

  /// The bytes of these rows, and of what stands before the first ones.
  mutating func bytes(of rows: [JSONView]) -> [UInt8] {
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
      if columns == nil, !rows.isEmpty { columns = names(in: rows) }
      guard let columns else { return [] }
      noteWhatIsLeftOut(of: rows, columns)
      let cells = rows.map { row in columns.map { cell($0, of: row) } }
      if format == .csv {
        if isFirst { text += Self.csvLine(columns) }
        for row in cells { text += Self.csvLine(isShown ? row.map(\.harmless) : row) }
      } else {
        if isFirst { fit([columns] + cells) }
        if isFirst { text += tableLine(columns) + rule }
        for row in cells { text += tableLine(row) }
      }
      isFirst = false
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

  private func names(in rows: [JSONView]) -> [String] {
    if let selection { return selection.fields.map(\.name) }
    var names: [String] = []
    var seen: Set<String> = []
    for member in rows.lazy.flatMap(\.members) where seen.insert(member.name).inserted {
      names.append(member.name)
    }
    if rows.contains(where: { $0.kind != .object }), seen.insert(Self.value).inserted {
      names.append(Self.value)
    }
    return names
  }

  private mutating func noteWhatIsLeftOut(of rows: [JSONView], _ columns: [String]) {
    guard selection == nil else { return }
    let known = Set(columns)
    for row in rows {
      if row.kind == .object {
        for member in row.members where !known.contains(member.name) {
          leftOut.insert(member.name)
        }
      } else if !known.contains(Self.value) {
        leftOut.insert(Self.value)
      }
    }
  }

  private func cell(_ name: String, of row: JSONView) -> String {
    if let selection {
      return selection.fields.first { $0.name == name }.flatMap { row[$0.path] }?.cell ?? ""
    }
    return (row.kind == .object ? row[name] : name == Self.value ? row : nil)?.cell ?? ""
  }

  private static func csvLine(_ cells: [String]) -> String {
    cells.map { cell in
      let needsQuotes =
        cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || cell.hasPrefix(" ")
        || cell.hasSuffix(" ")
      return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }.joined(separator: ",") + "\n"
  }

  // MARK: - Tables

  private mutating func fit(_ lines: [[String]]) {
    widths = lines[0].indices.map { column in
      lines.lazy.map { Self.fitted($0[column], to: Self.widest).width }.max() ?? 0
    }
  }

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
