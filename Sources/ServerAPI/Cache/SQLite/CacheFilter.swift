internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A selection translated for the database, where an address is a digest.
struct CacheFilter {
  let selection: CacheSelection
  private let digests: [[UInt8]]?
  private let prefix: [UInt8]?

  init(_ selection: CacheSelection, salt: [UInt8]) {
    self.selection = selection
    digests = selection.text.map { text in
      let spaces = selection.space.map { [$0] } ?? CacheKey.Space.allCases
      return spaces.map { Self.digest(CacheKey($0, text), salt: salt) }
    }
    prefix = selection.prefix.map { Array(CacheSelection.masked($0).utf8) }
  }

  /// Returns the digest that replaces the text of a key.
  static func digest(_ key: CacheKey, salt: [UInt8]) -> [UInt8] {
    var bytes = salt
    bytes.reserveCapacity(salt.count + 16 + key.text.utf8.count)
    bytes += key.space.rawValue.utf8
    bytes.append(0)
    bytes += key.text.utf8
    return SHA256.digest(bytes)
  }

  /// The condition on rows, with a parameter for each value.
  var condition: String {
    var terms: [String] = []
    if selection.space != nil { terms.append("space = ?1") }
    if selection.partition != nil { terms.append("partition = ?2") }
    if let digests { terms.append(digests.count == 1 ? "digest = ?3" : "digest IN (?3, ?4)") }
    if selection.variant != nil { terms.append("variant = ?5") }
    if selection.receivedBefore != nil { terms.append("received < ?6") }
    if prefix != nil { terms.append("substr(CAST(address AS BLOB), 1, ?7) = ?8") }
    return terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ")
  }

  func bind(to statement: SQLiteStatement) {
    if let space = selection.space { statement.bind(1, space.rawValue) }
    if let partition = selection.partition { statement.bind(2, partition) }
    for (index, digest) in (digests ?? []).enumerated() { statement.bind(Int32(3 + index), digest) }
    if let variant = selection.variant { statement.bind(5, variant) }
    if let receivedBefore = selection.receivedBefore {
      statement.bind(6, receivedBefore.timeIntervalSince1970)
    }
    if let prefix {
      statement.bind(7, prefix.count)
      statement.bind(8, prefix)
    }
  }

  /// Whether the selection includes a row.
  func includes(_ row: ListedRow) -> Bool {
    if let space = selection.space, space != row.space { return false }
    if let partition = selection.partition, partition != row.rowKey.partition { return false }
    if let digests, !digests.contains(row.rowKey.digest) { return false }
    if let prefix, !row.address.utf8.starts(with: prefix) { return false }
    return selection.includes(variant: row.variant, receivedAt: row.head.receivedAt)
  }
}
