import Foundation
import Quire
import QuireTesting
import URLSessionTransport

/// A check that runs by itself.
struct Proof: Sendable {
  let title: String
  /// Returns what is wrong; `nil` if nothing is.
  let run: @MainActor @Sendable () async -> String?

  /// What depends on the platform: where the properties of items are, how pages are mapped, how lists end.
  static let ofThisPlatform = [
    Proof(title: "Properties of a class are stored directly") {
      let table = FieldTable.Inspection(of: Parcel.self)
      return fault(table.problems + table.slowFields.map { "\($0) is slow" })
    },
    Proof(title: "Properties of a struct are stored directly") {
      let table = FieldTable.Inspection(of: Stamp.self)
      return fault(table.problems + table.slowFields.map { "\($0) is slow" })
    },
    Proof(title: "A page is mapped to objects") {
      let (parcels, fault) = await load(Parcel.self)
      guard let parcel = parcels.last else { return fault ?? "no rows" }
      let isRight =
        parcel.id == 2 && parcel.name == "zwei" && parcel.weight == 2.5 && parcel.isFragile
        && parcel.price == Decimal(string: "19.99") && parcel.tags == ["a", "b"]
        && parcel.page == URL(string: "https://example.com/2") && parcel.note == nil
        && parcel.sent == Date(timeIntervalSince1970: 1_700_000_000) && parcels.count == 2
      return isRight
        ? fault : "the last parcel is \(parcel.id), “\(parcel.name)”, \(parcel.weight), \(parcel.sent as Any)"
    },
    Proof(title: "A page is mapped to structs") {
      let (stamps, fault) = await load(Stamp.self)
      return stamps.map(\.name) == ["one", "zwei"] ? fault : "the stamps are \(stamps)"
    },
    Proof(title: "A page is decoded") {
      let (notes, fault) = await load(Note.self)
      return notes.map(\.weight) == [1, 2.5] ? fault : "the notes are \(notes)"
    },
  ]

  /// What a transport promises, one check for each promise.
  static let ofTheTransport = TransportConformance.cases.map { promise in
    Proof(title: promise.name) {
      let outcome = await TransportConformance { URLSessionTransport() }.run(promise)
      return outcome.isAccepted ? nil : "\(outcome)"
    }
  }

  static var all: [Proof] { ofThisPlatform + ofTheTransport }

  private static func fault(_ faults: [String]) -> String? {
    faults.isEmpty ? nil : faults.joined(separator: "\n")
  }

  private static let page = """
    [{"id": 1, "name": "one", "weight": 1, "fragile": false, "price": 5, "tags": [],
      "page": "https://example.com/1", "sent": "2023-11-14T22:13:20Z"},
     {"id": 2, "name": "zwei", "weight": 2.5, "fragile": true, "price": 19.99, "tags": ["a", "b"],
      "page": "https://example.com/2", "sent": "2023-11-14T22:13:20Z"}]
    """

  private static var server: Server {
    Server("https://selftest", transport: MockTransport { _ in .json(page) })
  }

  @MainActor private static func load(_ type: Parcel.Type) async -> ([Parcel], String?) {
    await rows(of: ListModel<Parcel>(server, "/parcels", paging: .single))
  }

  @MainActor private static func load(_ type: Stamp.Type) async -> ([Stamp], String?) {
    await rows(of: ListModel<Stamp>(server, "/stamps", paging: .single))
  }

  @MainActor private static func load(_ type: Note.Type) async -> ([Note], String?) {
    await rows(of: ListModel<Note>(server, "/notes", paging: .single))
  }

  /// Loads a list, and says how it ended if it isn't complete.
  @MainActor private static func rows<Item>(of list: ListModel<Item>) async -> ([Item], String?) {
    _ = await list.refresh().outcome
    let state = list.state(of: .next)
    return (Array(list.rows.items), state == .reachedEnd(.complete) ? nil : "the list is \(state)")
  }
}

final class Parcel: BaseItem, Identifiable {
  final var id = 0
  final var name = ""
  final var weight = 0.0
  final var isFragile = false
  final var price: Decimal?
  final var tags: [String] = []
  final var page: URL?
  final var sent: Date?
  final var note: String?

  override class var fields: FieldTable {
    FieldTable(Parcel.self) { f in
      f(\.id, "id", .required)
      f(\.name, "name")
      f(\.weight, "weight")
      f(\.isFragile, "fragile")
      f(\.price, "price")
      f(\.tags, "tags")
      f(\.page, "page")
      f(\.sent, "sent")
      f(\.note, "note")
    }
  }
}

struct Stamp: ItemValue, Identifiable {
  var id = 0
  var name = ""

  static var fields: FieldTable {
    FieldTable(Stamp.self) { f in
      f(\.id, "id", .required)
      f(\.name, "name")
    }
  }
}

struct Note: Decodable, Identifiable {
  let id: Int
  let weight: Double
}
