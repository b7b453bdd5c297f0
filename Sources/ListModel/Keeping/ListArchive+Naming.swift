internal import ItemMapping
internal import ListReading
internal import ServerAPI
internal import Support

extension ListArchive {
  /// Creates the archive of a list; `nil` where the owner of its rows is unknown.
  init?<Item>(
    _ keeping: ListKeeping, for call: Call, paging: Paging, loader: PageLoader<Item>
  ) {
    let configuration = loader.server.configuration
    guard keeping.refusal(of: call, on: loader.server) == nil else { return nil }
    store = keeping.store
    partition = configuration.cachePartition ?? ""
    name = "list " + (keeping.name ?? Self.name(of: call, paging, loader.server, salt: store.salt))
    signature = [
      "\(keeping.version)", Self.name(of: Item.self), Self.table(of: Item.self),
      loader.reader.declaredPath.map { "\($0)" } ?? "", "\(paging)",
    ].joined(separator: "\n")
  }

  /// Returns the full name of a type without the address that the name of a private type contains, since that
  /// changes each time the program starts.
  private static func name(of type: Any.Type) -> String {
    String(reflecting: type).split(separator: ".").filter {
      !$0.hasPrefix("(unknown context at ")
    }.joined(separator: ".")
  }

  /// Returns the address and a digest of the whole request: headers and parameters may be secrets.
  private static func name(
    of call: Call, _ paging: Paging, _ server: Server, salt: [UInt8]
  ) -> String {
    let configuration = server.configuration
    let base =
      switch server.base {
      case .success(let url): url.description
      case .failure: ""
      }
    var params = configuration.params.sorted.items.map { "\($0.name)=\($0.value.texts)" }
    // In JSON, 2 and "2" are different values.
    params += call.params.sorted.items.map {
      "\($0.name)=\(call.paramsIn == .query ? "\($0.value.texts)" : "\($0.value)")"
    }
    if call.paramsIn != .query { params.append("\(call.paramsIn)") }
    let fields = (configuration.headers.fields + call.headers.fields).map {
      "\($0.name):\($0.value)"
    }
    // A long body would make a long name. The hash need not resist attacks: no attacker chooses the body.
    let body = call.body.map { body in
      body.pieces.map { piece in
        switch piece {
        case .bytes(let bytes): bytes.withUnsafeBytes { "\(ContentDigest($0))" }
        case .file(let path, let length): "\(path) \(length)"
        }
      }.joined(separator: " ")
    }
    let asked = [
      "\(call.method)", base, call.address, params.joined(separator: "&"),
      fields.joined(separator: "&"), body ?? "", "\(paging)",
    ].joined(separator: "\n")
    let address = base + " " + Substring(call.address.utf8.prefix { $0 != 0x3F })
    return "\(address) \(SHA256.name(of: asked, salt: salt))"
  }

  /// Returns a hash of the field table of a type; empty for types without one.
  private static func table(of type: Any.Type) -> String {
    let inspection: FieldTable.Inspection? =
      if let type = type as? BaseItem.Type {
        FieldTable.Inspection(of: type)
      } else if let type = type as? any ItemValue.Type {
        Self.inspection(of: type)
      } else {
        nil
      }
    return inspection.map { "\(ContentDigest($0.description))" } ?? ""
  }

  private static func inspection(of type: (some ItemValue).Type) -> FieldTable.Inspection {
    FieldTable.Inspection(of: type)
  }
}
