internal import ListReading
internal import ServerAPI

extension ListKeeping {
  /// Why the responses to a call may not be kept: it is unknown whose rows they have. `nil` if they may.
  func refusal(of call: Call, on server: Server) -> CacheProblem? {
    if server.isOfClosure { return refusalOfClosure }
    if server.configuration.cachePartition != nil || server.isAnonymous(call) { return nil }
    // A call without an address fails by itself.
    guard case .success(let base) = server.base else { return nil }
    let address = name ?? (call.address.isEmpty ? base.description : call.address)
    return CacheProblem(
      .unknownOwner,
      "the list \(Redaction().text(address)) is not kept, because its requests may identify a user; "
        + "set cachePartition in the configuration of the server to the name of the user")
  }

  /// Why the pages of a closure may not be kept: there is no address that tells its list from others.
  private var refusalOfClosure: CacheProblem? {
    name == nil
      ? CacheProblem(
        .unknownOwner,
        "a list of a closure is not kept without a name; set one with ListKeeping(in:as:), another one for each user")
      : nil
  }

  /// Reports once to the store that the responses to a call are not kept, and to standard error in debug builds.
  func reportRefusal(of call: Call, on server: Server) { report(refusal(of: call, on: server)) }

  /// Reports once that the items of a closure can't be kept.
  func reportItems(_ type: Any.Type) {
    report(
      CacheProblem(
        .failed, "a list of \(type) is not kept: the pages of a closure are kept only if their items are Codable"))
  }

  private func report(_ problem: CacheProblem?) {
    guard let problem, !store.problems.contains(problem) else {
      return
    }
    store.report(problem)
    #if DEBUG
      LogMonitor.standardError(problem.text)
    #endif
  }
}
