internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MockAnswer {
  /// JSON of any encodable value. One that can't be encoded answers with an error that says why.
  public static func json(_ value: some Encodable, status: Int = 200) -> MockAnswer {
    do {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      return MockAnswer(
        status: status, headers: ["Content-Type": "application/json"],
        body: ResponseBody(try encoder.encode(value)))
    } catch {
      return .failure(.unusable("the answer, a \(type(of: value)), can't be encoded: \(error)"))
    }
  }
}
