#if SQLITE
  internal import CSQLite

  /// A value of a database. Values are ordered and equal as SQLite compares them with the collation `BINARY`.
  package enum SQLiteValue: Sendable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])

    private var rank: Int {
      switch self {
      case .null: 0
      case .integer, .real: 1
      case .text: 2
      case .blob: 3
      }
    }
  }

  extension SQLiteValue: Comparable, Hashable {
    package static func < (a: SQLiteValue, b: SQLiteValue) -> Bool {
      switch (a, b) {
      case (.integer(let a), .integer(let b)): a < b
      case (.real(let a), .real(let b)): a < b
      case (.integer(let a), .real(let b)): order(a, b) < 0
      case (.real(let a), .integer(let b)): order(b, a) > 0
      case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
      case (.blob(let a), .blob(let b)): a.lexicographicallyPrecedes(b)
      default: a.rank < b.rank
      }
    }

    package static func == (a: SQLiteValue, b: SQLiteValue) -> Bool {
      switch (a, b) {
      case (.null, .null): true
      case (.integer(let a), .integer(let b)): a == b
      case (.real(let a), .real(let b)): a == b
      case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)): order(a, b) == 0
      case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
      case (.blob(let a), .blob(let b)): a == b
      default: false
      }
    }

    package func hash(into hasher: inout Hasher) {
      switch self {
      case .null: hasher.combine(0)
      case .integer(let number): hasher.combine(Double(number))
      case .real(let number): hasher.combine(number)
      case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      case .blob(let bytes): hasher.combine(bytes)
      }
    }

    /// Compares without rounding the integer.
    private static func order(_ a: Int, _ b: Double) -> Int {
      if b >= 0x1p63 { return -1 }
      if b < -0x1p63 { return 1 }
      let whole = Int(b)
      if a != whole { return a < whole ? -1 : 1 }
      let rest = b - Double(whole)
      return rest > 0 ? -1 : rest < 0 ? 1 : 0
    }
  }

  extension SQLiteStatement {
    /// Binds a value.
    package func bind(_ index: Int32, _ value: SQLiteValue) {
      switch value {
      case .null: break
      case .integer(let number): bind(index, number)
      case .real(let number): bind(index, number)
      case .text(let text): bind(index, text)
      case .blob(let bytes): bind(index, bytes)
      }
    }
  }
#endif
