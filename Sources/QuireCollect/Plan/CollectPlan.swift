internal import ServerAPI

/// The lists that a ``Collector`` reads into one database.
public struct CollectPlan: Sendable {
  /// The lists, in the order in which they are read; the children of a list after it.
  public var lists: [CollectList]

  /// Creates a plan.
  public init(_ lists: [CollectList]) { self.lists = lists }

  /// With what the names of columns and tables begin that a sink adds.
  package static let reservedPrefix = "_quire_"

  /// The view of the rows of a table that are not gone.
  package static func view(of table: String) -> String { "\(table)_live" }

  /// Throws what is wrong with the plan.
  package func check() throws(CollectError) {
    if lists.isEmpty { throw .plan("it has no list; add one") }
    var names: [String: String] = [:]
    for list in lists {
      try list.check(isChild: false)
      for child in list.children { try child.check(isChild: true) }
      for list in [list] + list.children {
        guard let other = names.updateValue(list.name, forKey: list.name.lowercased()) else { continue }
        let why = other == list.name ? "" : ": “\(other)” is the same name for a database"
        throw .plan("two lists have the table “\(list.name)”\(why); use another name for one of them")
      }
    }
    for name in names.values.sorted() {
      guard let other = names[Self.view(of: name).lowercased()] else { continue }
      throw .plan("“\(other)” is the view of the table “\(name)”; use another name for one of the lists")
    }
  }
}

extension CollectList {
  /// Throws what is wrong with the list itself.
  package func check(isChild: Bool) throws(CollectError) {
    let key = name.lowercased()
    if key.isEmpty { throw .plan("a list has no name; name its table") }
    if key.hasPrefix(CollectPlan.reservedPrefix) || key.hasPrefix("sqlite_") {
      throw .plan("the table of a list can't be named “\(name)”: such names are reserved; use another one")
    }
    if key.utf8.contains(0) { throw .plan("the name of a table can't have a null character") }
    guard isChild else {
      guard CallTemplate.isMeant(by: call.address) else { return }
      throw .plan(
        "the list “\(name)” is of no row, and its address “\(call.address)” names a member of one: make it a child of"
          + " another list, or write %7B and %7D")
    }
    if let child = children.first {
      throw .plan("“\(child.name)” is a child of “\(name)”, which is one itself: a child can't have children")
    }
    do throws(CallTemplate.Problem) { _ = try CallTemplate(call) } catch {
      throw .plan("the list “\(name)” of each row of another one: \(error)")
    }
  }
}
