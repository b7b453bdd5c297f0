import Foundation

/// Types that use a decoder in every possible way.
struct Numbers: Decodable, Equatable {
  var int: Int
  var small: Int8?
  var byte: UInt8?
  var wide: UInt64?
  var huge: Int128?
  var hugest: UInt128?
  var float: Float?
  var double: Double?
  var decimal: Decimal?
}

struct Shelf: Decodable, Equatable {
  var name: String
  var isOpen: Bool?
  var books: [Book]
  var byCode: [String: Book]?
  var byNumber: [Int: String]?
  var notes: [String?]?
  var grid: [[Double]]?
  var kind: Kind?

  struct Book: Decodable, Equatable {
    var title: String
    var author: Author?
    var tags: [String]?
  }

  struct Author: Decodable, Equatable {
    var firstName: String
    var age: Int?
  }

  enum Kind: String, Decodable { case wood, steel }
}

struct Stamped: Decodable, Equatable {
  var date: Date?
  var data: Data?
  var url: URL?
  var dates: [Date]?
  var byName: [String: Date]?
  var firstSeen: Decimal?
}

enum Shape: Decodable, Equatable {
  case circle(radius: Double)
  case box(Int, Int)
  case none
}

enum Grade: Int, Decodable { case one = 1, two }
struct Color: RawRepresentable, Hashable, Decodable, CodingKeyRepresentable {
  var rawValue: String
}
struct Graded: Decodable, Equatable {
  var grades: [Grade]
  var shapes: [Shape]?
  var colors: [Color: Int]?
}

class Animal: Decodable {
  var name: String
  private enum CodingKeys: String, CodingKey { case name }
}

final class Dog: Animal, Equatable {
  var tricks: [String]
  private enum CodingKeys: String, CodingKey { case tricks, owner }
  private enum OwnerKeys: String, CodingKey { case id, places }
  var owner: Int
  var places: [Int] = []

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tricks = try container.decode([String].self, forKey: .tricks)
    let owner = try container.nestedContainer(keyedBy: OwnerKeys.self, forKey: .owner)
    self.owner = try owner.decode(Int.self, forKey: .id)
    if owner.contains(.places) {
      var list = try owner.nestedUnkeyedContainer(forKey: .places)
      while !list.isAtEnd { places.append(try list.decode(Int.self)) }
    }
    try super.init(from: container.superDecoder())
  }

  static func == (a: Dog, b: Dog) -> Bool {
    a.name == b.name && a.tricks == b.tricks && a.owner == b.owner && a.places == b.places
  }
}

final class Cat: Animal, Equatable {
  var lives: Int
  private enum CodingKeys: String, CodingKey { case lives, animal }

  required init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    lives = try list.decode(Int.self)
    try super.init(from: list.superDecoder())
  }

  static func == (a: Cat, b: Cat) -> Bool { a.name == b.name && a.lives == b.lives }
}

/// Tries types one after another, as for a list of mixed elements.
indirect enum Loose: Decodable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case text(String)
  case list([Loose])
  case object([String: Loose])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([Loose].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: Loose].self))
    }
  }
}

/// Records the position in an array after each attempt.
struct Stepping: Decodable, Equatable {
  var steps: [String] = []

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    steps.append("\(list.count ?? -1)")
    while !list.isAtEnd, steps.count < 30 {
      let before = list.currentIndex
      if let value = try? list.decode(Int8.self) {
        steps.append("int \(value)")
      } else if let value = try? list.decode([Bool].self) {
        steps.append("bools \(value)")
      } else if (try? list.decodeNil()) == true {
        steps.append("null")
      } else if var inner = try? list.nestedUnkeyedContainer() {
        steps.append("list \(inner.isAtEnd) \((try? inner.decodeIfPresent(String.self)) as Any)")
      } else if let inner = try? list.nestedContainer(keyedBy: AnyKey.self) {
        steps.append("object \(inner.allKeys.map(\.stringValue).sorted())")
      } else {
        steps.append("other \(try list.decodeIfPresent(String.self) ?? "")")
      }
      steps.append("\(before)-\(list.currentIndex)")
    }
    steps.append("end \((try? list.decode(Int.self)) as Any) \(list.currentIndex)")
  }
}

/// Reads members out of order, twice, and without knowing their names.
struct Backwards: Decodable, Equatable {
  var found: [String: String] = [:]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    let keys = container.allKeys.sorted { $0.stringValue > $1.stringValue }
    for key in keys + keys {
      let inner = try container.superDecoder(forKey: key)
      let path = inner.codingPath.map(\.stringValue).joined(separator: "/")
      let isNull = try container.decodeNil(forKey: key)
      let text = try? container.decode(Loose.self, forKey: key)
      found[key.stringValue] = "\(path) \(isNull) \(text as Any)"
    }
    let missing = try container.superDecoder(forKey: AnyKey("nowhere")).singleValueContainer()
    found["nowhere"] = "\(missing.decodeNil()) \(container.contains(AnyKey("nowhere")))"
  }
}

struct AnyKey: CodingKey, Equatable {
  var stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
