/// Finds the texts of values that follow each other, such as the rows of a page.
///
/// The tape of the parser has no places in the text. The list of structural characters has, but doesn't say which of
/// them belong to a value, so that a place needs a walk over everything before it; see ``JSONDocument/textOffsets``.
/// From one element of an array to the next, only brackets have to be counted.
package struct JSONTextWalk {
  package let document: JSONDocument
  private let tape: JSONTape
  private let structurals: JSONStructurals
  /// The index up to which a walk begins at the start of the document.
  private static let nearby = 1 << 16
  /// The index of an element, and the number of its first structural character.
  private var upcoming: (index: Int, place: Int)?
  /// Whether places have to be known for the whole document.
  private var needsOffsets = false

  /// Creates a walk over values of a document.
  package init(_ document: JSONDocument) {
    self.document = document
    (tape, structurals) = (document.tape, document.structurals)
  }

  /// Returns a value as written in the text; see ``JSONView/unsafeText``. The value must be one of the document.
  package mutating func unsafeText(of view: JSONView) -> UnsafeBufferPointer<UInt8> {
    let index = view.index
    if !needsOffsets, tape.isContainer(index), let place = place(of: index),
      let text = text(of: index, at: place)
    {
      return text
    }
    needsOffsets = true
    return view.unsafeText
  }

  /// Returns the number of the first structural character of a value; `nil` if it doesn't follow the last value in
  /// the same array.
  private func place(of index: Int) -> Int? {
    guard var (next, place) = upcoming else {
      // A walk to each of many rows of a large page would take longer than one over all of it.
      return index <= Self.nearby ? structurals.place(of: index, on: tape) : nil
    }
    while next < index, !tape.isEnd(next), let end = structurals.end(of: place) {
      // A comma separates it from the next one.
      place = end + 2
      next = tape.after(next)
    }
    return next == index ? place : nil
  }

  private mutating func text(of index: Int, at place: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let start = structurals.offset(of: tape.tag(index), at: place),
      let last = structurals.end(of: place),
      let end = structurals.offset(of: tape.tag(tape.end(of: index)), at: last)
    else { return nil }
    upcoming = (tape.after(index), last + 2)
    return UnsafeBufferPointer(rebasing: structurals.text[start...end])
  }
}

extension JSONStructurals {
  /// Returns the number of a value among the structural characters, after a walk over everything before it.
  fileprivate func place(of target: Int, on tape: JSONTape) -> Int? {
    var index = JSONTape.root
    for (number, place) in places.enumerated() {
      let offset = Int(place) + skipped
      guard offset < text.count, index <= target else { return nil }
      let byte = text[offset]
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") { continue }
      if index == target { return number }
      index += tape.width(index)
    }
    return nil
  }

  /// Returns the number of the last structural character of a value, from that of its first one.
  fileprivate func end(of place: Int) -> Int? {
    var depth = 0
    var number = place
    while number < places.count {
      let offset = Int(places[number]) + skipped
      guard offset < text.count else { return nil }
      // Both kinds of brackets differ in this bit, and no other such character becomes one.
      let byte = text[offset] | 0x20
      // Without a branch, which the processor couldn't foresee.
      depth += (byte == UInt8(ascii: "{") ? 1 : 0) - (byte == UInt8(ascii: "}") ? 1 : 0)
      if depth <= 0 { return depth == 0 ? number : nil }
      number += 1
    }
    return nil
  }

  /// Returns the offset in the text of a structural character; `nil` if the text has another one there.
  fileprivate func offset(of character: UInt8, at place: Int) -> Int? {
    guard place < places.count else { return nil }
    let offset = Int(places[place]) + skipped
    return offset < text.count && text[offset] == character ? offset : nil
  }
}

extension JSONTape {
  /// Whether a container ends here.
  @inline(__always)
  fileprivate func isEnd(_ index: Int) -> Bool {
    tag(index) == UInt8(ascii: "]") || tag(index) == UInt8(ascii: "}")
  }

  @inline(__always)
  fileprivate func isContainer(_ index: Int) -> Bool {
    tag(index) == Tag.object || tag(index) == Tag.array
  }

  /// Returns the number of words of a scalar, a bracket or a name, without a branch. The last five bits tell the tags
  /// of numbers, which take two, from all others.
  @inline(__always)
  fileprivate func width(_ index: Int) -> Int {
    let numbers: UInt32 =
      1 << UInt32(Tag.int & 31) | 1 << UInt32(Tag.uint & 31) | 1 << UInt32(Tag.double & 31)
    return 1 &+ Int(numbers &>> UInt32(tag(index)) & 1)
  }
}
