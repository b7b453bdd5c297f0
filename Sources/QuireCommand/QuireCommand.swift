@main
struct QuireCommand {
  static func main() async {}
}
