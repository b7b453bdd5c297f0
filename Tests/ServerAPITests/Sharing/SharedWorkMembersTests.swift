import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct SharedWorkMembersTests {
  @Test func `work ends when its last member leaves, and accepts no new ones`() {
    var members = SharedWorkMembers(endsWithLast: true)
    #expect(members.join(.normal) == 1)
    #expect(members.join(.visible) == 2)
    #expect(members.priority == .visible)
    #expect(members.remove(2) == .othersStay)
    #expect(members.priority == .normal)
    #expect(members.remove(2) == .late)
    #expect(members.remove(1) == .abandoned)
    #expect(members.join(.normal) == nil)
    #expect(members.finish() == false)
  }

  @Test func `work may continue without members`() {
    var members = SharedWorkMembers(endsWithLast: false)
    #expect(members.join(.normal) == 1)
    #expect(members.remove(1) == .othersStay)
    #expect(members.join(.normal) == 2)
    #expect(members.finish() == true)
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(40)))
  func `any sequence ends exactly once with the right members`(_ seeded: SeededGenerator) {
    var random = seeded
    var members = SharedWorkMembers(endsWithLast: true)
    var present: [Int: HTTPRequest.Priority] = [:]
    var ends = 0
    for _ in 0..<300 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...4:
        let priority = HTTPRequest.Priority.allCases[Int.random(in: 0..<3, using: &random)]
        let id = members.join(priority)
        #expect((id == nil) == (ends > 0))
        if let id { present[id] = priority }
      case 5...9:
        let id = Int.random(in: 0..<40, using: &random)
        let departure = members.remove(id)
        let wasThere = ends == 0 && present.removeValue(forKey: id) != nil
        let expected: SharedWorkMembers.Departure =
          !wasThere ? .late : present.isEmpty ? .abandoned : .othersStay
        #expect(departure == expected)
        if departure == .abandoned { ends += 1 }
      case 10:
        let id = Int.random(in: 0..<40, using: &random)
        members.setPriority(.visible, of: id)
        if ends == 0, present[id] != nil { present[id] = .visible }
      default:
        guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
        #expect(members.finish() == (ends == 0))
        ends = max(ends, 1)
      }
      #expect(ends <= 1)
      if ends == 0 { #expect(members.priority == present.values.max()) }
    }
  }
}
