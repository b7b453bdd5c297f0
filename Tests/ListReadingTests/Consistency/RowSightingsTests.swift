import QuireTesting
import Testing

@testable import ListReading

/// Proofs of the rows of one instant, from responses that had them.
@Suite struct RowSightingsTests {
  /// Creates the record of responses with these rows, numbered as they come first; each may know the number of all
  /// rows.
  private func sightings(_ responses: [(rows: [Int], count: Int?)], isTotal: Bool = false)
    -> RowSightings
  {
    var sightings = RowSightings()
    for response in responses {
      sightings.begin()
      for row in response.rows { sightings.see(row) }
      if let count = response.count { sightings.limit(to: count, isTotal: isTotal) }
    }
    sightings.prove(isThorough: true)
    return sightings
  }

  @Test func `rows seen before and after a count are those of its instant`() {
    let twice = sightings([([0, 1], nil), ([2, 3], 4), ([0, 1], nil), ([2, 3], 4)])
    #expect(twice.isClosed && twice.proof?.instant == 2)
    #expect((0..<4).allSatisfy(twice.isProven))
  }

  @Test func `the rows of one reading prove nothing of the first pages`() {
    let once = sightings([([0, 1], nil), ([2, 3], 4)])
    #expect(once.proof == .init(instant: 2, missing: 2))
    #expect(!once.isProven(0) && once.isProven(2))
  }

  @Test func `a row that had gone at the instant is none of its rows`() {
    let gone = sightings([([0, 1, 2], nil), ([3], 3), ([1, 2], nil), ([3], 3)])
    #expect(gone.isClosed && !gone.isProven(0) && gone.isProven(1) && gone.isProven(3))
  }

  @Test func `a total proves nothing with rows that only its own response had`() {
    #expect(sightings([([0, 1], 2)]).isClosed)
    #expect(!sightings([([0, 1], 2)], isTotal: true).isClosed)
    #expect(sightings([([0, 1], 2), ([0, 1], 2)], isTotal: true).isClosed)
  }

  @Test func `a count below the rows that were there proves nothing`() {
    let low = sightings([([0, 1], 1), ([0, 1], 1)])
    #expect(low.isContradicted && !low.isClosed)
  }

  /// Rows that don't come back, in any order: what is proven is compared with the list itself.
  @Test func `no proof of a random history is false`() throws {
    let first = try SeededGenerator.fromEnvironment().seed
    var closed = 0
    let runs = Thoroughness.runs(20_000, full: 1_000_000)
    for seed in first..<first &+ UInt64(runs) {
      var random = SeededGenerator(seed: seed)
      var list: [Int] = Array(0..<Int.random(in: 1...5, using: &random))
      var next = list.count
      var indices: [Int: Int] = [:]
      var instants: [Set<Int>] = []
      var sightings = RowSightings()
      for _ in 0..<Int.random(in: 2...8, using: &random) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: _ = list.popLast()
        case 1:
          list.insert(next, at: 0)
          next += 1
        case 2: list.shuffle(using: &random)
        default: break
        }
        instants.append(Set(list))
        sightings.begin()
        for row in list where Int.random(in: 0..<3, using: &random) > 0 {
          let index = indices[row] ?? indices.count
          indices[row] = index
          sightings.see(index)
        }
        sightings.limit(to: list.count, isTotal: false)
        sightings.prove(isThorough: Bool.random(using: &random))
      }
      sightings.prove(isThorough: true)
      let proof = try #require(sightings.proof)
      let rows = instants[Int(proof.instant) - 1]
      let proven = Set(indices.filter { sightings.isProven($0.value) }.keys)
      #expect(proven.isSubset(of: rows) && !sightings.isContradicted, "seed \(seed)")
      #expect(rows.subtracting(proven).count <= proof.missing, "seed \(seed)")
      if sightings.isClosed { closed += 1 }
    }
    #expect(closed > runs / 20)
  }
}
