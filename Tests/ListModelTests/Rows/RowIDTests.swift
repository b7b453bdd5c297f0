import Testing

@testable import ListModel

struct RowIDTests {
  @Test func `whole numbers are the same row whatever their width`() {
    #expect(RowID(Int64(7)) == RowID(7))
    #expect(RowID(UInt8(7)) == 7)
    #expect(RowID("7") != 7)
  }
}
