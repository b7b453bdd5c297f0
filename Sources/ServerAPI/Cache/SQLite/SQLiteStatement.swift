internal import CSQLite

/// One prepared statement. It belongs to its connection.
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  init(_ connection: OpaquePointer, _ sql: String, isKept: Bool) throws(SQLiteFailure) {
    var made: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(connection, sql, -1, flags, &made, nil)
    guard code == SQLITE_OK, let made else {
      throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(connection)))
    }
    handle = made
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ place: Int32, _ number: Int) { sqlite3_bind_int64(handle, place, Int64(number)) }

  func bind(_ place: Int32, _ number: Double) { sqlite3_bind_double(handle, place, number) }

  func bind(_ place: Int32, _ text: String) {
    var text = text
    _ = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        // Without an address it would be no value rather than an empty one.
        if let base = bytes.baseAddress {
          csqlite_bind_text(handle, place, base, UInt64(bytes.count))
        } else {
          csqlite_bind_text(handle, place, "", 0)
        }
      }
    }
  }

  func bind(_ place: Int32, _ bytes: [UInt8]) { bytes.withUnsafeBytes { bind(place, $0) } }

  func bind(_ place: Int32, _ bytes: UnsafeRawBufferPointer) {
    if let base = bytes.baseAddress, !bytes.isEmpty {
      csqlite_bind_blob(handle, place, base, UInt64(bytes.count))
    } else {
      sqlite3_bind_zeroblob(handle, place, 0)
    }
  }

  /// Goes on to the next row. Returns whether there is one.
  func step() throws(SQLiteFailure) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(connection)))
    }
  }

  /// Runs a statement to its end.
  func run() throws(SQLiteFailure) { while try step() {} }

  func number(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// The bytes of a blob or a text, good until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let base = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Ends the use of a kept statement; nothing is held any more.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}
