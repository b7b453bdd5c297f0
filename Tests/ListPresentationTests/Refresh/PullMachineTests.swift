import ListPresentation
import Testing

/// Controls that are pulled, and their distances.
struct PullMachineTests {
  struct Pull: Sendable {
    var distances: [Double]
    var state: PullMachine.State
    var begins: Bool
  }

  @Test(arguments: [
    Pull(distances: [], state: .idle, begins: false),
    Pull(distances: [15], state: .pulling(0.25), begins: false),
    Pull(distances: [59.9, 60], state: .triggered, begins: true),
    Pull(distances: [100, 61], state: .triggered, begins: true),
    Pull(distances: [100, 30], state: .pulling(0.5), begins: false),
    Pull(distances: [100, 0], state: .idle, begins: false),
    Pull(distances: [100, -5], state: .idle, begins: false),
    Pull(distances: [100, .nan], state: .idle, begins: false),
    Pull(distances: [.infinity], state: .idle, begins: false),
  ])
  func `a pull past the threshold triggers and acts on release`(pull: Pull) {
    var machine = PullMachine(threshold: 60)
    for distance in pull.distances { machine.pull(to: distance) }
    #expect(machine.state == pull.state)
    let begins = machine.release()
    #expect(begins == pull.begins)
    #expect(machine.state == .idle)
    let beginsAgain = machine.release()
    #expect(!beginsAgain)
  }

  @Test(arguments: [0, -10, Double.nan])
  func `without a threshold any pull triggers`(threshold: Double) {
    var machine = PullMachine(threshold: threshold)
    machine.pull(to: 1)
    #expect(machine.state == .triggered)
  }

  struct Scroll: Sendable {
    var offset: Double
    var content: Double
    var down: Double
    var up: Double
    var fills: Bool
  }

  @Test(arguments: [
    Scroll(offset: 0, content: 1_000, down: 0, up: 0, fills: true),
    Scroll(offset: -40, content: 1_000, down: 40, up: 0, fills: true),
    Scroll(offset: 500, content: 1_000, down: 0, up: 0, fills: true),
    Scroll(offset: 530, content: 1_000, down: 0, up: 30, fills: true),
    // Content that is shorter than the view.
    Scroll(offset: 0, content: 100, down: 0, up: 0, fills: false),
    Scroll(offset: 30, content: 100, down: 0, up: 30, fills: false),
    Scroll(offset: .nan, content: .nan, down: 0, up: 0, fills: false),
    Scroll(offset: .infinity, content: -1, down: 0, up: 0, fills: false),
  ])
  func `scroll offsets become pull distances`(scroll: Scroll) {
    let geometry = ScrollGeometry(offset: scroll.offset, viewport: 500, content: scroll.content)
    #expect(geometry.pulledDown == scroll.down)
    #expect(geometry.pulledUp == scroll.up)
    #expect(geometry.fillsView == scroll.fills)
  }
}
