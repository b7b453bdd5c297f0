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
      default:
        print("usage: quire demo    what can happen to a list, on a server inside this program")
      }
    } catch {
      fail("\(error)")
    }
  }
}
