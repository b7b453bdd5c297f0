internal import Quire

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
      min(Self.widest, lines.lazy.map { TextWidth.of($0[column].onOneLine) }.max() ?? 0)
    }
  }

  private func tableLine(_ cells: [String]) -> String {
    let padded = zip(cells, widths).map { TextWidth.fit($0.onOneLine, to: $1) }
    return padded.joined(separator: "  ").trimmingEnd + "\n"
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
    (utf8.contains { $0 < 0x20 }
      ? String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 ? " " : $0 })) : self)
      .harmless
  }

  fileprivate var trimmingEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}

/// How many columns of a terminal a text takes.
enum TextWidth {
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  private static func of(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.value < 0x300 { return 1 }
    if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// The text in exactly so many columns, cut where it is longer.
  static func fit(_ text: String, to width: Int) -> String {
    let own = of(text)
    if own <= width { return text + String(repeating: " ", count: width - own) }
    var (kept, used) = ("", 0)
    for character in text {
      let next = of(character)
      if used + next > width - 1 { break }
      kept.append(character)
      used += next
    }
    return kept + "…" + String(repeating: " ", count: width - used - 1)
  }
}
