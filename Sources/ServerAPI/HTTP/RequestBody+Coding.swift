#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension RequestBody {
  /// Parameters as a form, `application/x-www-form-urlencoded`; a space becomes `%20`.
  public static func form(_ params: Params, listStyle: ListStyle = .repeated) -> RequestBody {
    bytes(params.encoded(listStyle), contentType: "application/x-www-form-urlencoded")
  }

  /// A value as JSON. Pass an encoder of your own for other key names, dates or sorting.
  public static func json(
    _ value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws(RequestError) -> RequestBody {
    do {
      return bytes(try encoder.encode(value), contentType: "application/json")
    } catch {
      throw WebURL.defect(.body, "\(type(of: value)) can't be written as JSON: \(error)")
    }
  }
}
