import Testing

@testable import ServerAPI

struct BoxedTests {
  @Test func `a change of one copy leaves the other as it is`() {
    let first = Boxed([1])
    var second = first
    #expect(second == first)
    second.value.append(2)
    #expect(first.value == [1] && second.value == [1, 2])
    #expect(second != first)
    // It has a box of its own now.
    let third = second
    second.value = []
    #expect(third.value == [1, 2] && second.value.isEmpty)
  }

  @Test func `equal values in other boxes are equal`() {
    #expect(Boxed("a") == Boxed("a") && Boxed("a") != Boxed("b"))
    #expect(Set([Boxed("a"), Boxed("a"), Boxed("b")]).count == 2)
  }
}
