internal import Quire
internal import TerminalList

/// The columns of rows of unknown structure: the title, then the members that distinguish rows.
struct BrowseTable: Sendable {
  /// A member, or a member of an object in it.
  private struct Field: Hashable, Sendable {
    var name: String
    var inner: String?
  }

  private static let maximumCount = 12
  private static let maximumMembers = 200

  let columns: [TableColumn]
  private let row: BrowseRow
  /// The field that is the title, if the rows have no text that names them.
  private let titleField: (Field, FieldFormat)?
  private let heads: Columns
  private let fields: [Field]
  private let formats: [FieldFormat]

  /// Chooses the columns; `nil` if the rows have no more to show than a title and an id.
  init?(of rows: [JSONView], row: BrowseRow) {
    let names = Columns.names(of: rows, limit: Self.maximumMembers)
    let heads = Columns(names)
    let contents = rows.map(row.content(of:))
    let values = rows.map { heads.values(of: $0) { _ in } }
    var fields: [Field] = []
    var formats: [FieldFormat] = []
    var isMoreThanID = false
    for field in Self.candidates(names, values) where fields.count < Self.maximumCount {
      let texts = values.map { Self.text(of: field, $0, heads) }
      let samples = texts.compactMap(\.self)
      func repeats(_ other: (RowContent) -> String?) -> Bool {
        zip(texts, contents).count { $0 != nil && $0 == other($1) } * 2 > samples.count
      }
      guard samples.count * 2 >= rows.count, !repeats(\.title),
        let format = FieldFormat(of: samples)
      else { continue }
      isMoreThanID = isMoreThanID || !repeats(\.subtitle)
      fields.append(field)
      formats.append(format)
    }
    guard isMoreThanID else { return nil }
    var titleName = row.title.map { OptionSyntax.text($0) } ?? "title"
    if rows.count(where: { row.title(of: $0) != nil }) * 2 > rows.count {
      titleField = nil
    } else {
      guard fields.count > 1 else { return nil }
      let place = formats.firstIndex(of: .text) ?? 0
      titleName = fields[place].name
      titleField = (fields.remove(at: place), formats.remove(at: place))
    }
    columns =
      [TableColumn(titleName, .text)]
      + zip(fields, formats).map { TableColumn($0.name, $1.kind) }
    (self.row, self.heads, self.fields, self.formats) = (row, heads, fields, formats)
  }

  /// Returns the text of each column.
  func cells(of item: JSONView) -> [String] {
    let values = heads.values(of: item) { _ in }
    let title = titleField.flatMap { field, format in
      Self.text(of: field, values, heads).map(format.text)
    }
    return [title ?? row.title(of: item) ?? BrowseRow.line(item)]
      + zip(fields, formats).map { field, format in
        Self.text(of: field, values, heads).map(format.text) ?? ""
      }
  }

  /// Returns scalar members, and of each object the member that names it or says how much it is.
  private static func candidates(_ names: [String], _ values: [[JSONView?]]) -> [Field] {
    names.enumerated().compactMap { column, name in
      guard let value = values.lazy.compactMap({ $0[column] }).first(where: { !$0.isNull }) else {
        return nil
      }
      switch value.kind {
      case .object:
        let inner = BrowseRow.namesOfObjects.first { value[$0].flatMap(BrowseRow.text) != nil }
        return inner.map { Field(name: name, inner: $0) }
      case .array, .null: return nil
      case .string, .number, .bool: return Field(name: name)
      }
    }
  }

  private static func text(of field: Field, _ values: [JSONView?], _ heads: Columns) -> String? {
    guard let column = heads.position(of: field.name), var value = values[column] else {
      return nil
    }
    if let inner = field.inner {
      guard let member = value[inner] else { return nil }
      value = member
    }
    return value.bool.map { $0 ? "yes" : "no" } ?? BrowseRow.text(value)
  }
}

/// How the values of a column are shown.
enum FieldFormat: Hashable, Sendable {
  case text, number
  /// Dates, shortened to the day, or to the minute if all are of one day.
  case day, minute

  private static let longestText = 40
  private static let longestName = 20

  /// Chooses the format by some values; `nil` if they mean nothing to a reader.
  init?(of samples: [String]) {
    guard let first = samples.first, samples.count < 4 || samples.contains(where: { $0 != first })
    else { return nil }
    if samples.allSatisfy(Self.isNumber) {
      self = .number
    } else if samples.allSatisfy(Self.isDate) {
      let isOneDay =
        samples.count > 1 && samples.allSatisfy { $0.prefix(10) == first.prefix(10) }
      self = isOneDay && first.utf8.count >= 16 ? .minute : .day
    } else {
      // Addresses, digests, tokens and long texts.
      let dull = samples.count { text in
        text.hasPrefix("https://") || text.hasPrefix("http://") || text.count > Self.longestText
          || text.count >= Self.longestName && text.utf8.allSatisfy(Self.isTokenByte)
            && text.utf8.contains { (0x30...0x39).contains($0) }
      }
      guard dull * 2 < samples.count else { return nil }
      self = .text
    }
  }

  var kind: TableColumn.Kind {
    switch self {
    case .text: .text
    case .number: .number
    case .day, .minute: .date
    }
  }

  func text(_ value: String) -> String {
    switch self {
    case .text, .number: value
    // A row of a later page may have something else.
    case _ where !Self.isDate(value): value
    case .minute where value.utf8.count > 10:
      value.prefix(10) + " " + value.dropFirst(11).prefix(5)
    case .day, .minute: String(value.prefix(10))
    }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x3D, 0x5F: true
    default: false
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == 0x2D || $0 == 0x2B }
    return digits.first.map { (0x30...0x39).contains($0) } == true && text.utf8.count <= 24
      && digits.allSatisfy {
        (0x30...0x39).contains($0) || [0x2E, 0x65, 0x45, 0x2B, 0x2D].contains($0)
      }
      && Double(text) != nil
  }

  /// Whether a text starts with a day such as `2024-05-31`, and continues with a time, if at all.
  private static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8.prefix(17))
    guard bytes.count >= 10, text.utf8.count <= 40 else { return false }
    func matches(_ pattern: StaticString, at start: Int) -> Bool {
      pattern.withUTF8Buffer { pattern in
        pattern.enumerated().allSatisfy { place, wanted in
          let byte = bytes[start + place]
          return wanted == 0x39 ? (0x30...0x39).contains(byte) : byte == wanted
        }
      }
    }
    guard matches("9999-99-99", at: 0) else { return false }
    return bytes.count == 10
      || bytes.count >= 16 && [0x54, 0x74, 0x20].contains(bytes[10]) && matches("99:99", at: 11)
  }
}
