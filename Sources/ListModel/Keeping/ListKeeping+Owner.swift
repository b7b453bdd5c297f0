internal import ServerAPI

extension ListKeeping {
  /// Whether it is known whose rows the responses to a call have, so that they may be kept. If not, the store says so
  /// once, and standard error in debug builds.
  @discardableResult func knowsOwner(of call: Call, on server: Server) -> Bool {
    if server.configuration.cachePartition != nil || server.isAnonymous(call) { return true }
    // A call without an address fails by itself.
    guard case .success(let base) = server.base else { return false }
    let address = name ?? (call.address.isEmpty ? base.description : call.address)
    let problem = CacheProblem(
      .unknownOwner,
      "the list \(Redaction().text(address)) is not kept, because its requests may identify a user; "
        + "set cachePartition in the configuration of the server to the name of the user")
    guard !store.problems.contains(problem) else { return false }
    store.report(problem)
    #if DEBUG
      LogMonitor.standardError(problem.text)
    #endif
    return false
  }
}
