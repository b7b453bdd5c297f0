import Foundation
import ListModel
import TestSupport
import Testing

/// How many of the conventions of `Fixtures/paging` are recognized with no options.
struct GeneralityTests {
  @Test func `almost all conventions that recognition was built with are read whole`() async {
    let score = await Score(Convention.developed)
    print("developed: \(score)")
    for failure in score.failures { print("  \(failure)") }
    #expect(score.isHonest)
    #expect(score.whole * 100 >= score.count * 95)
    #expect(score.mostTrials <= 8)
  }

  @Test(arguments: Convention.developed.filter { $0.recognized != nil })
  func `what is recognized is printed as its declaration`(_ convention: Convention) async {
    let walk = await ConventionWalk(convention)
    #expect(walk.recognized == convention.recognized)
  }

  /// Prints only numbers: nobody should fit recognition to these.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["QUIRE_GENERALITY"] == "1"))
  func `as many conventions that nobody looked at are read whole`() async {
    let developed = await Score(Convention.developed)
    let heldOut = await Score(Convention.all.filter(\.isHeldOut))
    print("held out: \(heldOut)")
    #expect(heldOut.isHonest)
    #expect(heldOut.mostTrials <= 8)
    #expect(heldOut.share >= developed.share - 0.05)
  }

  @Test func `each convention has a name of its own and a source`() {
    let names = Convention.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Convention.all.allSatisfy { !$0.source.isEmpty && !$0.options.isEmpty })
    #expect(names.count >= 150)
  }
}

struct Score: CustomStringConvertible {
  var count = 0
  var whole = 0
  var shortButComplete = 0
  var wrongRows = 0
  var trials = 0
  var mostTrials = 0
  var failures: [String] = []

  init(_ conventions: [Convention]) async {
    for convention in conventions {
      let walk = await ConventionWalk(convention)
      count += 1
      trials += walk.trials
      mostTrials = max(mostTrials, walk.trials)
      switch walk.verdict {
      case .whole: whole += 1
      case .incomplete: break
      case .shortButComplete: shortButComplete += 1
      case .wrongRows: wrongRows += 1
      }
      if walk.verdict != .whole {
        failures.append(
          "\(convention): \(walk.verdict), \(walk.problem), \(walk.recognized ?? "nothing recognized"), \(walk.trials) trials"
        )
      } else if walk.trials > 8 {
        failures.append("\(convention): \(walk.trials) trials: \(walk.recognized ?? "")")
      }
    }
  }

  var share: Double { Double(whole) / Double(max(1, count)) }
  var isHonest: Bool { shortButComplete == 0 && wrongRows == 0 }

  var description: String {
    """
    \(whole) of \(count) whole, \(shortButComplete) complete over missing rows, \(wrongRows) with wrong rows, \
    \(trials) trial requests, at most \(mostTrials) for a list
    """
  }
}
