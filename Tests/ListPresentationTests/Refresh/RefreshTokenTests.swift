import ListPresentation
import Testing

/// The token of a refresh that the program carries out.
@MainActor struct RefreshTokenTests {
  @Test func `R-26 a token that is ended twice ends once`() {
    var ends: [RefreshOutcome] = []
    let token = RefreshToken { ends.append($0) }
    #expect(!token.hasEnded)
    #expect(token.end(.succeeded))
    #expect(!token.end(.cancelled))
    #expect(token.hasEnded && ends == [.succeeded])
  }

  @Test func `R-26 a token released without a call ends as cancelled`() {
    var ends: [RefreshOutcome] = []
    do { _ = RefreshToken { ends.append($0) } }
    #expect(ends == [.cancelled])
  }
}
