#if SQLITE
  internal import CSQLite

  /// A prepared statement of a connection.
  package final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer, _ sql: String, isKept: Bool) throws(SQLiteFailure) {
      var prepared: OpaquePointer?
      let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
      let code = sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
      guard code == SQLITE_OK, let prepared else {
        throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(connection)))
      }
      handle = prepared
      self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    package func bind(_ index: Int32, _ number: Int) { sqlite3_bind_int64(handle, index, Int64(number)) }

    package func bind(_ index: Int32, _ number: Double) { sqlite3_bind_double(handle, index, number) }

    package func bind(_ index: Int32, _ text: String) {
      var text = text
      _ = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          // A null pointer would bind NULL instead of an empty text.
          if let base = bytes.baseAddress {
            csqlite_bind_text(handle, index, base, UInt64(bytes.count))
          } else {
            csqlite_bind_text(handle, index, "", 0)
          }
        }
      }
    }

    /// Binds a text by its UTF-8, which has to stay as it is until the statement is reset.
    package func bind(_ index: Int32, borrowing bytes: UnsafeBufferPointer<UInt8>) {
      guard let base = bytes.baseAddress else {
        csqlite_bind_text(handle, index, "", 0)
        return
      }
      base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { base in
        _ = csqlite_bind_borrowed_text(handle, index, base, UInt64(bytes.count))
      }
    }

    package func bind(_ index: Int32, _ bytes: [UInt8]) { bytes.withUnsafeBytes { bind(index, $0) } }

    package func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
      if let base = bytes.baseAddress, !bytes.isEmpty {
        csqlite_bind_blob(handle, index, base, UInt64(bytes.count))
      } else {
        sqlite3_bind_zeroblob(handle, index, 0)
      }
    }

    /// Advances to the next row. Returns `false` at the end.
    package func step() throws(SQLiteFailure) -> Bool {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code:
        throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(connection)))
      }
    }

    /// Runs the statement to completion.
    package func run() throws(SQLiteFailure) { while try step() {} }

    package func number(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// Returns the bytes of a blob or a text, valid until the next step.
    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
      let base = sqlite3_column_blob(handle, column)
      return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Returns the value of a column.
    package func value(_ column: Int32) -> SQLiteValue {
      switch sqlite3_column_type(handle, column) {
      case SQLITE_INTEGER: .integer(number(column))
      case SQLITE_FLOAT: .real(double(column))
      case SQLITE_TEXT: .text(text(column))
      case SQLITE_BLOB: .blob(Array(bytes(column)))
      default: .null
      }
    }

    /// Resets a cached statement, and releases its bindings and locks.
    package func reset() {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
  }
#endif
