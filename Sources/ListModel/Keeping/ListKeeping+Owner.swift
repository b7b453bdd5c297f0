internal import ServerAPI

extension ListKeeping {
  /// Why the responses to a call may not be kept: it is unknown whose rows they have. `nil` if they may.
  func refusal(of call: Call, on server: Server) -> CacheProblem? {
    if server.configuration.cachePartition != nil || server.isAnonymous(call) { return nil }
    // A call without an address fails by itself.
    guard case .success(let base) = server.base else { return nil }
    let address = name ?? (call.address.isEmpty ? base.description : call.address)
    return CacheProblem(
      .unknownOwner,
      "the list \(Redaction().text(address)) is not kept, because its requests may identify a user; "
        + "set cachePartition in the configuration of the server to the name of the user")
  }

  /// Reports once to the store that the responses to a call are not kept, and to standard error in debug builds.
  func reportRefusal(of call: Call, on server: Server) {
    guard let problem = refusal(of: call, on: server), !store.problems.contains(problem) else {
      return
    }
    store.report(problem)
    #if DEBUG
      LogMonitor.standardError(problem.text)
    #endif
  }
}
