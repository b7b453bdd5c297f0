import Testing

@testable import QuireTesting

@Suite struct ClockStateTests {
  @Test func `a sleep until a past deadline is not registered`() {
    var face = ClockState()
    let sleepsAtStart = face.register(1, until: .zero)
    face.advance(by: .seconds(5))
    let sleepsLater = face.register(2, until: .seconds(5))
    #expect(!sleepsAtStart && !sleepsLater && face.sleepers.isEmpty)
  }

  @Test(arguments: [(0, 3), (1, 2), (2, 1), (3, 0), (9, 0)])
  func `advancing removes the sleepers that are due`(seconds: Int, left: Int) {
    var face = ClockState()
    for deadline in [1, 2, 3] { _ = face.register(face.newID(), until: .seconds(deadline)) }
    face.advance(by: .seconds(seconds))
    #expect(face.sleepers.count == left)
    #expect(face.now == .seconds(seconds))
  }

  @Test func `the next sleeper is the one with the earliest deadline`() {
    var face = ClockState()
    #expect(face.untilNext == nil)
    let early = face.newID()
    _ = face.register(early, until: .seconds(2))
    _ = face.register(face.newID(), until: .seconds(7))
    face.advance(by: .seconds(1))
    #expect(face.untilNext == .seconds(1))
    face.remove(early)
    #expect(face.untilNext == .seconds(6))
  }
}
