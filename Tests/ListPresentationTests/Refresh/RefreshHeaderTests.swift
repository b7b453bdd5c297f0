import ListPresentation
import Testing

/// The header of a table with a data source of its own.
struct RefreshHeaderTests {
  @Test func `a header that is pulled far enough begins one refresh and shows it until its end`() {
    var header = RefreshHeader(threshold: 60)
    header.pull(to: 30)
    #expect(header.state == .pulling(0.5))
    var begins = header.release()
    #expect(!begins && header.state == .idle)
    header.pull(to: 60)
    #expect(header.state == .triggered)
    begins = header.release()
    #expect(begins && header.state == .loading)
    // Pulling it meanwhile begins no other one.
    header.pull(to: 100)
    begins = header.release()
    #expect(!begins && header.state == .loading)
    let ended = header.end()
    #expect(ended && header.state == .idle)
    let endedAgain = header.end()
    #expect(!endedAgain)
  }

  @Test func `a refresh that began without a pull is shown too, and lets go of the rows`() {
    var header = RefreshHeader()
    header.pull(to: 100)
    let begins = header.begin()
    #expect(begins && header.state == .loading)
    let beginsAgain = header.begin()
    #expect(!beginsAgain)
    header.end()
    #expect(header.state == .idle)
  }
}
