import QuireTesting

/// Writes pages as a server would send them, the same ones in every run.
struct MappingPages {
  private var random = SeededGenerator(seed: 465)
  private let alphabet: Alphabet

  enum Alphabet { case latin, chinese }

  init(_ alphabet: Alphabet = .latin) { self.alphabet = alphabet }

  /// Books: twelve members and a list that are mapped, two members that are not.
  func books(_ count: Int) -> String {
    page(count) { pages, id in
      let rank = Int.random(in: 0..<10, using: &pages.random)
      // Sometimes null, sometimes not there.
      let subtitle =
        rank < 2 ? #""subtitle":null,"# : rank < 3 ? "" : #""subtitle":\#(pages.text(10...24)),"#
      return """
        {"id":\(100_000 + id),"title":\(pages.text(10...40)),\(subtitle)\
        "price":\(pages.decimal(0..<100, 2)),"rating":\(pages.decimal(1..<5, 1)),\
        "pages":\(pages.number(20..<1_200)),"likes":\(pages.number(0..<1_000_000)),\
        "isFree":\(rank == 4),"isNew":\(rank < 6),\
        "trace":"\(pages.hexadecimal(32))",\
        "summary":\(pages.text(40...60)),"cover":"https://img.example.com/\(pages.hexadecimal(8)).jpg",\
        "flags":{"sponsored":false,"rank":\(rank)},\
        "author":{"id":\(pages.number(1..<90_000)),"name":\(pages.text(8...20)),"isVerified":true},\
        "tags":[\(pages.text(4...10)),\(pages.text(4...10)),\(pages.text(4...10))]}
        """
    }
  }

  /// Rows with the members of books and nothing else, 36 KB for a hundred of them; ids have nine digits, and
  /// behind the total there is room for another one.
  func rows(_ count: Int) -> String {
    page(count, room: "            ") { pages, id in
      """
      {"id":\(100_000_000 + id),"title":\(pages.text(10...40)),\
      "price":\(pages.decimal(0..<100, 2)),"rating":\(pages.decimal(1..<5, 1)),\
      "pages":\(pages.number(20..<1_200)),"likes":\(pages.number(0..<1_000_000)),\
      "isFree":false,"isNew":true,\
      "summary":\(pages.text(40...60)),"cover":"https://img.example.com/\(pages.hexadecimal(8)).jpg",\
      "author":{"id":\(pages.number(1..<90_000)),"name":\(pages.text(8...20)),"isVerified":true},\
      "tags":[\(pages.text(4...10)),\(pages.text(4...10)),\(pages.text(4...10))]}
      """
    }
  }

  /// Readings: twenty numbers each, among them large ones and such with all the digits they can have.
  func readings(_ count: Int) -> String {
    page(count) { pages, id in
      let integers = [
        "id": 7_000_000_000_000_000_000 + id, "device": pages.number(1..<1 << 53),
        "time": 1_780_272_000_000 + id * 250, "sequence": id, "battery": pages.number(0..<101),
        "channel": pages.number(1..<15), "errors": -pages.number(0..<4_000_000_000),
        "steps": pages.number(0..<50_000),
      ]
      let doubles = [
        "latitude", "longitude", "altitude", "speed", "heading", "temperature", "pressure",
        "humidity", "voltage", "current", "power", "energy",
      ]
      let members =
        integers.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        + doubles.map { "\"\($0)\":\(pages.measured())" }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  /// Comments with an answer that has an answer, eight deep.
  func comments(_ count: Int) -> String {
    page(count) { pages, id in
      (0..<8).reduce("") { response, depth in
        """
        {"id":\(id * 8 + depth),"info":{"likes":\(pages.number(0..<5_000)),\
        "text":{"body":\(pages.text(12...40))}},"answers":[\(response)]}
        """
      }
    }
  }

  private func page(
    _ count: Int, room: String = "", _ item: (inout MappingPages, Int) -> String
  ) -> String {
    var pages = self
    let items = (0..<count).map { item(&pages, $0) }
    let list = items.joined(separator: ",")
    return #"{"code":0,"data":{"list":[\#(list)],"total":\#(count * 40)\#(room)}}"#
  }

  private mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

  private mutating func decimal(_ range: Range<Int>, _ digits: Int) -> String {
    let scale = digits == 1 ? 10 : 100
    let number = number(range.lowerBound * scale..<range.upperBound * scale)
    let fraction = String(number % scale)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(number / scale).\(zeros)\(fraction)"
  }

  /// A double with 15 to 17 digits.
  private mutating func measured() -> String {
    while true {
      let text = ((random.nextUnit() - 0.5) * 2_000).description
      let digits = text.utf8.count(where: { (0x30...0x39).contains($0) })
      if digits >= 15 { return text }
    }
  }

  private mutating func hexadecimal(_ digits: Int) -> String {
    (0..<digits).reduce(into: "") { text, _ in text += String(number(0..<16), radix: 16) }
  }

  /// A string of so many characters in quotes; now and then one with quotes in it, too.
  private mutating func text(_ length: ClosedRange<Int>) -> String {
    let length = Int.random(in: length, using: &random)
    var text = ""
    switch alphabet {
    case .latin:
      while text.count < length {
        if !text.isEmpty { text += " " }
        let word = Self.words.randomElement(using: &random) ?? ""
        text += number(0..<20) == 0 ? "\\\"\(word)\\\"" : word
      }
      text = String(text.prefix(length))
      while text.hasSuffix("\\") || text.hasSuffix(" ") { text.removeLast() }
    case .chinese:
      // A character takes about twice the room of a letter on a screen.
      for _ in 0..<(length + 1) / 2 {
        text.unicodeScalars.append(Unicode.Scalar(UInt16(number(0x4E00..<0x9FA6))) ?? "一")
      }
    }
    return "\"\(text)\""
  }

  private static let words = [
    "the", "of", "garden", "winter", "history", "a", "short", "river", "letters", "from", "night",
    "engine", "and", "stone", "year", "silent", "city", "in", "blue", "mountain", "house", "on",
    "wind", "machine", "to", "island", "bread", "memory", "with", "glass",
  ]
}
