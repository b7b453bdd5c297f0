internal import Quire
internal import Support

@main
struct QuireCommand {
  @MainActor static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let rest = arguments.dropFirst()
    do {
      switch arguments.first {
      case "crawl": exit(await CrawlCommand.run(rest))
      case "collect": exit(await CollectCommand.run(rest))
      case "sync": exit(await SyncCommand.run(rest))
      case "browse": exit(await BrowseCommand.run(rest))
      case "demo":
        let options = try Arguments(rest, for: Commands.demo)
        guard !options.wantsHelp else {
          return print(Commands.demo.helpText, terminator: "")
        }
        try await Demo.run(showsSteps: options.has("steps"))
      case "completions":
        print(try Commands.text(of: Commands.completions, rest), terminator: "")
      case "help": print(try Commands.text(of: Commands.help, rest), terminator: "")
      case "--version": print("quire \(Version.text)")
      case "--help", "-h", nil: print(Commands.overview, terminator: "")
      case let name?: throw CommandError(Commands.unknown(name))
      }
    } catch {
      fail("\(error)".terminalSafe)
    }
  }
}
