import ServerAPI
import Testing

@testable import ListModel

struct CachePolicyTests {
  private static let loads: [LoadKind] = [
    .first, .next, .previous, .page(3), .evicted(PageID(order: 0)),
  ]

  @Test(arguments: [
    (CachePolicy.standard, CacheUse()),
    (.networkOnly, CacheUse(mode: .reload)),
    (.networkElseCache, CacheUse(mode: .networkElseCache)),
    (.cacheElseNetwork, CacheUse(mode: .cacheElseNetwork)),
    (.cacheThenNetwork, CacheUse(showsStored: true, mode: .revalidate)),
    (.cacheOnly, CacheUse(mode: .cacheOnly)),
  ])
  func `pages are requested as the policy says`(policy: CachePolicy, use: CacheUse) {
    for kind in Self.loads { #expect(policy.use(for: kind, usual: .standard) == use, "\(kind)") }
  }

  @Test(arguments: CachePolicy.allCases)
  func `a refresh revalidates with the server, except for cacheOnly`(
    policy: CachePolicy
  ) {
    let expected = CacheUse(mode: policy == .cacheOnly ? .cacheOnly : .revalidate)
    #expect(policy.use(for: .refresh, usual: .standard) == expected)
  }

  @Test(arguments: [
    (CacheMode.standard, CacheMode?.some(.revalidate)), (.revalidate, .revalidate),
    (.networkElseCache, .revalidate), (.cacheElseNetwork, .revalidate), (.noStore, nil),
    (.reload, nil), (.cacheOnly, nil),
  ])
  func `the server's own cache mode takes precedence on refresh`(
    usual: CacheMode, mode: CacheMode?
  ) {
    #expect(CachePolicy.standard.use(for: .refresh, usual: usual) == CacheUse(mode: mode))
    #expect(CachePolicy.standard.use(for: .next, usual: usual) == CacheUse())
  }
}
