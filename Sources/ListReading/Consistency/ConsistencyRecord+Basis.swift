/// What the claims of a record rest on.
extension ConsistencyRecord {
  /// The assumptions that the theorems need here.
  func basis(endingBy endBasis: Set<ListAssumption>) -> Set<ListAssumption> {
    var basis: Set<ListAssumption> = [.instants]
    if pages > 1 || !lacksIDs { basis.insert(.ids) }
    if pages > 1 || isRejoined { basis.insert(.order) }
    if count(.chained) > 0 { basis.insert(.cursors) }
    basis.formUnion(endBasis)
    return basis
  }

  /// What it takes that the list ends where it seems to.
  var endBasis: Set<ListAssumption> { basis(of: endSign) }

  func basis(of sign: EndSign) -> Set<ListAssumption> {
    var basis: Set<ListAssumption> = endsByName ? [.names] : []
    switch sign {
    case .said, .chosen: basis.insert(.end)
    case .counted, .short, .silent, .absent, .refused: basis.insert(.positions)
    }
    return basis
  }

  /// What it takes that pages with one version are the whole list of that version.
  var versionBasis: Set<ListAssumption> {
    var basis = endBasis.union([.version])
    if !lacksIDs { basis.insert(.ids) }
    return basis
  }
}
