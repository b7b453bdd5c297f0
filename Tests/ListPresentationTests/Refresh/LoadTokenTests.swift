import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// The token of a load that the program carries out.
@MainActor struct LoadTokenTests {
  private struct Broken: Error {}

  @Test func `R-26 a token that is ended twice ends once`() {
    var ends: [LoadToken.Outcome] = []
    let token = LoadToken { outcome, _ in ends.append(outcome) }
    #expect(!token.hasEnded)
    #expect(token.end(.succeeded))
    #expect(!token.end(.cancelled))
    #expect(!token.fail(Broken()))
    #expect(token.hasEnded && ends == [.succeeded])
  }

  @Test func `R-26 a token released without a call ends as cancelled`() {
    var ends: [LoadToken.Outcome] = []
    do { _ = LoadToken { outcome, _ in ends.append(outcome) } }
    #expect(ends == [.cancelled])
  }

  @Test func `an error that was thrown ends the load with it`() {
    var ends: [LoadToken.Outcome] = []
    let errors: [any Error] = [
      Broken(), CancellationError(), RequestError(.offline), RequestError(.cancelled(.superseded)),
      LoadError.custom("no"),
    ]
    for error in errors { LoadToken { outcome, _ in ends.append(outcome) }.fail(error) }
    #expect(
      ends == [
        .failed(.custom("Broken()")), .cancelled, .failed(.request(RequestError(.offline))),
        .cancelled, .failed(.custom("no")),
      ])
  }

  #if DEBUG
    @Test func `R-26 a token that is held for a minute without a call is reported once`() async {
      let clock = ManualClock()
      let books = LocalList<Row>()
      let screen = ListController(books, time: clock.timeSource)
      var reports: [String] = []
      let (lines, reported) = AsyncStream.makeStream(of: String.self)
      screen.reportHeldToken = {
        reports.append($0)
        reported.yield($0)
      }
      var held: [LoadToken] = []
      screen.settings.refreshHandler = { held.append($0) }
      // A token that has ended in time isn't reported.
      screen.refresh()
      await clock.sleepers(atLeast: 1)
      held[0].end(.succeeded)
      screen.refresh()
      await clock.sleepers(atLeast: 1)
      clock.advance(by: LoadToken.patience)
      var line = lines.makeAsyncIterator()
      let text = await line.next()
      #expect(text?.contains("refreshHandler was called 60 seconds ago") == true)
      #expect(text?.contains("Call one of them on every path") == true)
      #expect(!held[1].hasEnded && reports.count == 1)
      #expect(held[1].end(.succeeded))
    }
  #endif
}
