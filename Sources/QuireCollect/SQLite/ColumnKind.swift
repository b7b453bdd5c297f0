#if SQLITE
  internal import ItemMapping
  internal import SQLiteFile

  /// What a column holds.
  enum ColumnKind: String, Hashable, Sendable, CaseIterable {
    /// Integers, and other numbers as they are.
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case boolean = "BOOLEAN"
    /// Any value as JSON.
    case json = "JSON"
    /// Any value; objects and arrays as JSON. A table that a program made has such columns.
    case any = ""

    /// The kind of a value; `nil` for `null`.
    init?(_ value: JSONView) {
      switch value.kind {
      case .null: return nil
      case .bool: self = .boolean
      case .string: self = .text
      case .number: self = value.int64 != nil ? .integer : .real
      case .object, .array: self = .json
      }
    }

    /// The kind of a column that was declared with a type, by the rules of SQLite and the usual names of dates.
    init(declared type: String) {
      let type = type.uppercased()
      let names: [(String, ColumnKind)] = [
        ("INT", .integer), ("CHAR", .text), ("CLOB", .text), ("TEXT", .text), ("REAL", .real), ("FLOA", .real),
        ("DOUB", .real), ("BOOL", .boolean), ("JSON", .json), ("DATE", .text), ("TIME", .text), ("BLOB", .any),
      ]
      self = names.first { type.contains($0.0) }?.1 ?? (type.isEmpty || type == "ANY" ? .any : .real)
    }

    /// The kind that holds the values of both.
    func joined(with other: ColumnKind) -> ColumnKind {
      if self == other { return self }
      return [self, other].allSatisfy { $0 == .integer || $0 == .real } ? .real : .json
    }
  }

  extension SQLiteStatement {
    /// Binds a value to a parameter for a column. Returns `false` if the column can't hold it.
    ///
    /// The document of the value has to live until the statement is reset.
    func bind(_ index: Int32, _ value: JSONView, as kind: ColumnKind) -> Bool {
      switch (kind, value.kind) {
      case (_, .null): return true
      case (.json, _), (.any, .object), (.any, .array):
        bind(index, borrowing: value.unsafeText)
        return true
      case (.text, .string), (.any, .string):
        _ = value.withUTF8 { bind(index, borrowing: $0) }
        return true
      case (.boolean, .bool), (.any, .bool):
        bind(index, value.bool == true ? 1 : 0)
        return true
      case (.integer, .number), (.real, .number), (.any, .number):
        if let number = value.int64 {
          // A larger one may have more digits than a `REAL`.
          if kind == .real, number.magnitude > 1 << 53 { return false }
          bind(index, Int(number))
        } else if let number = value.double, value.isNumberOfDouble {
          bind(index, number)
        } else {
          return false
        }
        return true
      default: return false
      }
    }
  }

  extension JSONView {
    /// Whether a `Double` has all digits of the number that a program could mean: not an integer of many digits.
    fileprivate var isNumberOfDouble: Bool {
      withText { text in text.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } }
    }
  }
#endif
