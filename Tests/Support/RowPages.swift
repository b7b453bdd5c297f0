/// A row that has only an id.
package struct Row: Decodable, Identifiable, Equatable, Sendable {
  package let id: Int

  package init(id: Int) { self.id = id }
}

/// A JSON page: rows with these ids, and members around them.
package func page(_ ids: some Sequence<Int>, _ members: String = "") -> String {
  let rows = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
  return #"{"rows":[\#(rows)]\#(members.isEmpty ? "" : "," + members)}"#
}
