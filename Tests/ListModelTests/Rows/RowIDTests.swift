import Testing

@testable import ListModel

struct RowIDTests {
  @Test func `integers of any width are the same id`() {
    #expect(RowID(Int64(7)) == RowID(7))
    #expect(RowID(UInt8(7)) == 7)
    #expect(RowID("7") != 7)
  }
}
