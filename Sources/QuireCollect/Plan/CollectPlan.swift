/// The lists that a ``Collector`` reads into one database.
public struct CollectPlan: Sendable {
  /// The lists, in the order in which they are read.
  public var lists: [CollectList]

  /// Creates a plan.
  public init(_ lists: [CollectList]) { self.lists = lists }

  /// With what the names of columns and tables begin that a sink adds.
  package static let reservedPrefix = "_quire_"

  /// Throws what is wrong with the plan.
  package func check() throws(CollectError) {
    if lists.isEmpty { throw .plan("it has no list; add one") }
    var names: [String: String] = [:]
    for list in lists {
      let key = list.name.lowercased()
      if key.isEmpty { throw .plan("a list has no name; name its table") }
      if key.hasPrefix(Self.reservedPrefix) || key.hasPrefix("sqlite_") {
        throw .plan("the table of a list can't be named “\(list.name)”: such names are reserved; use another one")
      }
      if key.utf8.contains(0) { throw .plan("the name of a table can't have a null character") }
      if let other = names.updateValue(list.name, forKey: key) {
        let why = other == list.name ? "" : ": “\(other)” is the same name for a database"
        throw .plan("two lists have the table “\(list.name)”\(why); use another name for one of them")
      }
    }
  }
}
