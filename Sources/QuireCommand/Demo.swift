internal import TerminalList

/// `quire demo`: a list that changes while it is read, where somebody reads it; else what became of one.
@MainActor enum Demo {
  static func run() async throws {
    let terminal = Terminal()
    if terminal.isInteractive {
      try await DemoScreen().run(in: terminal)
    } else {
      var transcript = try DemoTranscript()
      try await transcript.run()
    }
  }
}
