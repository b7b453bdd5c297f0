extension CommandSpec {
  /// Runs the command, and returns its exit status. Prints its help if that is asked for, and what is wrong with the
  /// arguments.
  func run(
    _ words: some Sequence<String>, _ body: (Arguments, Console) async throws(UsageError) -> CrawlStatus
  ) async -> Int32 {
    let console = Console()
    guard console.reserveStandardDescriptors() else {
      console.printError("quire \(name): standard output is closed")
      return CrawlStatus.failed.rawValue
    }
    do throws(UsageError) {
      let arguments = try Arguments(words, for: self)
      if arguments.wantsHelp {
        console.print(helpText)
        return CrawlStatus.complete.rawValue
      }
      let status = try await body(arguments, console)
      guard let loss = console.lossOfOutput else { return status.rawValue }
      console.printError("quire \(name): can't write to standard output: \(loss)")
      return max(status, .failed).rawValue
    } catch {
      console.printError("quire \(name): \(error)\nSee quire \(name) --help.")
      return CrawlStatus.usage.rawValue
    }
  }
}
