internal import ServerAPI

/// The lists that a ``Collector`` reads into one database.
public struct CollectPlan: Sendable {
  /// The lists, in the order in which they are read; the children of a list after it.
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
      try Self.check(list.name, &names)
      if CallTemplate.isMeant(by: list.call.address) {
        throw .plan(
          "the list “\(list.name)” is of no row, and its address “\(list.call.address)” names a member of one: make it a"
            + " child of another list, or write {{ and }}")
      }
      for child in list.children {
        try Self.check(child.name, &names)
        if let grandchild = child.children.first {
          throw .plan(
            "“\(grandchild.name)” is a child of “\(child.name)”, which is one itself: a child can't have children")
        }
        do throws(CallTemplate.Problem) { _ = try CallTemplate(child.call) } catch {
          throw .plan("the list “\(child.name)” of each row of “\(list.name)”: \(error)")
        }
      }
    }
  }

  /// Checks the name of a table.
  private static func check(_ name: String, _ names: inout [String: String]) throws(CollectError) {
    let key = name.lowercased()
    if key.isEmpty { throw .plan("a list has no name; name its table") }
    if key.hasPrefix(reservedPrefix) || key.hasPrefix("sqlite_") {
      throw .plan("the table of a list can't be named “\(name)”: such names are reserved; use another one")
    }
    if key.utf8.contains(0) { throw .plan("the name of a table can't have a null character") }
    if let other = names.updateValue(name, forKey: key) {
      let why = other == name ? "" : ": “\(other)” is the same name for a database"
      throw .plan("two lists have the table “\(name)”\(why); use another name for one of them")
    }
  }
}
