import Testing

@testable import ListReading

struct RowIDTests {
  @Test func `integers of any width are the same id`() {
    #expect(RowID(Int64(7)) == RowID(7))
    #expect(RowID(UInt8(7)) == 7)
    #expect(RowID("7") != 7)
    #expect(RowID(UInt64.max) == RowID(UInt.max))
  }

  @Test func `equal ids have one hash and one digest, whatever their types`() {
    let ids: [RowID] = [
      RowID(Float(1.5)), RowID(1.5), RowID(UInt64.max), RowID(UInt.max), RowID(UInt128(UInt64.max)),
      RowID([Float(1.5)]), RowID([1.5]), RowID([1]), RowID([UInt8(1)]), RowID(Optional("a")),
      RowID(Optional("b")), RowID(true), RowID(1), RowID("1"), RowID(Substring("1")), RowID(-0.0),
      RowID(Float(0)), RowID(Double.infinity), RowID(Float.infinity),
    ]
    var equal = 0
    for first in ids {
      for second in ids where first == second {
        equal += 1
        #expect(first.hashValue == second.hashValue)
        #expect(first.indexHash == second.indexHash)
        #expect(RowDigest(first) == RowDigest(second))
      }
    }
    #expect(equal > ids.count + 6)
    #expect(Set([RowID(Float(1.5)), RowID(1.5)]).count == 1)
    #expect(RowID(Float(1.5)).description == "1.5" && RowID([7]).description == "[7]")
  }
}
