import Foundation
import Quire
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// General names of this package beside those of Foundation, without a module in front of them. Where another
/// module has the same name, it is qualified by its own module, such as `ServerAPI::Call`.
@Suite struct GeneralNames {
  @Test func `general names need no qualification beside Foundation`() {
    let types: [any Any.Type] = [
      Authentication.self, Call.self,
      CellKind.self, DateFormat.self, DuplicatePolicy.self, EndRule.self,
      FieldTable.self, Freshness.self, HTTPMethod.self, HTTPRequest.self, HTTPResponse.self,
      Load.self, LoadError.self, LoadKind.self, LoadOutcome.self, LoadState.self,
      PageFacts.self, PageKey.self, PageRange.self, Paging.self, Params.self, Placeholder.self,
      Redaction.self, RefreshMode.self, RefreshOptions.self, RequestBody.self,
      ResponseBody.self, RetryPolicy.self, RowAction.self, RowID.self, RowPosition.self,
      Server.self, TimeSource.self,
      WebURL.self,
    ]
    #expect(Set(types.map { ObjectIdentifier($0) }).count == types.count)
    let protocols: [any Any.Type] = [
      (any Transport).self, (any Interceptor).self, (any EventMonitor).self,
    ]
    #expect(protocols.count == 3)
    #expect(ServerAPI::Call("/books").address == "/books")
    // Names that Foundation has too stay Foundation's.
    #expect(Progress(totalUnitCount: 1).totalUnitCount == 1)
  }
}
