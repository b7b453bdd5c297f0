import Support
import Testing

struct ASCIIWriterTests {
  @Test(arguments: [0, 7, 10, 1_234_567_890, .max, .min, -1])
  func `numbers are written as String writes them`(_ number: Int) {
    let text = String.ascii { text in
      text.append("(")
      text.append(number)
      text.append(")")
    }
    #expect(text == "(\(number))")
  }

  @Test func `what has no room is left out`() {
    let text = String.ascii { text in
      for _ in 0..<20 { text.append("0123456789") }
      text.append(1_234)
    }
    #expect(text == String(String(repeating: "0123456789", count: 13).prefix(128)))
  }
}
