internal import Foundation
internal import Quire

@main
struct QuireCommand {
  @MainActor static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      switch arguments.first {
      case "crawl": exit(await CrawlCommand.run(arguments.dropFirst()))
      case "completions":
        print(try Commands.printCompletions(arguments.dropFirst()), terminator: "")
      case "browse" where arguments.contains("--help"):
        print(Commands.browse.helpText, terminator: "")
      case "demo" where arguments.contains("--help"):
        print(Commands.demo.helpText, terminator: "")
      case "help", "--help", "-h", nil:
        guard let help = Commands.help(on: arguments.dropFirst().first) else {
          throw CommandError(Commands.unknown(arguments.dropFirst().first ?? ""))
        }
        print(help, terminator: "")
      case "demo": try await Demo.run()
      case "browse": try await Browse(arguments.dropFirst()).run()
      case "probe":
        let rest = Array(arguments.dropFirst())
        guard rest.isEmpty || rest.count == 2 && rest[0] == "--cache" else {
          throw CommandError("usage: quire probe [--cache FOLDER]")
        }
        await Probe(folder: rest.last).run()
      case let name?: throw CommandError(Commands.unknown(name))
      }
    } catch {
      fail("\(error)")
    }
  }
}
