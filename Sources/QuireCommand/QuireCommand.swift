internal import Quire

@main
struct QuireCommand {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      switch arguments.first {
      case "demo": try await Demo().run()
      default: print("usage: quire demo    page through a list on a server inside this program")
      }
    } catch {
      fail("\(error)")
    }
  }
}
