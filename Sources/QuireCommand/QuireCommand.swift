internal import Quire

@main
struct QuireCommand {
  @MainActor static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      switch arguments.first {
      case "demo":
        var demo = try Demo()
        try await demo.run()
      case "browse": try await Browse(arguments.dropFirst()).run()
      case "probe":
        let rest = Array(arguments.dropFirst())
        guard rest.isEmpty || rest.count == 2 && rest[0] == "--cache" else {
          throw CommandError("usage: quire probe [--cache FOLDER]")
        }
        await Probe(folder: rest.last).run()
      default:
        print("usage: quire demo    what can happen to a list, on a server inside this program")
      }
    } catch {
      fail("\(error)")
    }
  }
}
