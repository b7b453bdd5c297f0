internal import ListSync
internal import Quire

/// Writes the changes of a list to the output of the command.
final class FeedStore: RoundStore {
  private let file: SyncFile
  private let selection: Selection?
  private let console: Console

  /// Opens the state file.
  init(_ file: String, _ options: RoundOptions, _ console: Console) throws(UsageError) {
    self.file = try SyncFile(file, console.output, options.crawl.signature)
    (selection, self.console) = (options.crawl.selection, console)
    let changed = self.file.changedCredentials
    if !changed.isEmpty, !options.crawl.isQuiet {
      console.printError("quire sync: continuing with changed credentials: \(changed.joined(separator: ", "))")
    }
  }

  func takeState() -> SyncState { file.takeState() }

  func store(_ step: inout SyncWalk.Step) throws { try file.write(lines(of: step), recording: step.record()) }

  func shorten(_ walk: SyncWalk) throws { try file.shorten(walk) }

  func end() throws { try file.end() }

  private func lines(of step: SyncWalk.Step) -> [UInt8] {
    let bytes = SyncLines.bytes(of: step, selection)
    guard console.output.isTerminal else { return bytes }
    return Array(String(decoding: bytes, as: UTF8.self).terminalJSON.utf8)
  }
}
