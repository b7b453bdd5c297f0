internal import ListSync
internal import Quire
internal import QuireCollect
internal import Support

extension CollectRun {
  /// Reads the first page of each list, and prints what is known of it and of its table. Stores no rows.
  func probe(_ console: Console) async throws(UsageError) -> CrawlStatus {
    var status = CrawlStatus.complete
    for options in options {
      var lines: [String] = []
      do throws(UsageError) {
        if let table = try await table(of: options) { lines.append("table:   \(table)") }
      } catch { throw UsageError(secrets.masked(error.description)) }
      do throws(EarlyExit) {
        lines = try await FirstPages(of: options.rounds.crawl).explanation + lines
        lines += options.children.map { "child:   \($0.list.name), a list for each row, which is not read here" }
        console.print(secrets.masked(lines.reduce("\(options.list.name)\n") { $0 + "  \($1)\n" }))
      } catch {
        status = max(status, error.status)
        let message = error.message ?? "stopped"
        console.printError(secrets.masked("quire \(CollectCommand.spec.name): \(options.list.name): \(message)"))
      }
      if status == .interrupted { break }
    }
    return status
  }

  /// What the table of a list has; `nil` if no database is named. Throws if the run could not store rows there.
  private func table(of options: CollectOptions) async throws(UsageError) -> String? {
    guard !options.path.isEmpty else { return nil }
    // A database is made by the first run that stores something.
    guard access(options.path, F_OK) == 0 else { return "\(options.list.name) in \(options.path), both new" }
    let store = try await options.store(in: try options.sink())
    let count = store.takeState().rowCount
    return "\(options.list.name) with \(count == 1 ? "1 row" : "\(count.grouped) rows")"
  }
}
