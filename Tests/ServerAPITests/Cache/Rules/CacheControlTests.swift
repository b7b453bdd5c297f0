import Testing

@testable import ServerAPI

@Suite struct CacheControlTests {
  static func read(_ lines: String...) -> CacheControl {
    var control = CacheControl()
    for line in lines { control.read(line) }
    return control
  }

  @Test(arguments: [
    ("max-age=60", 60.0), ("MaX-aGe=60", 60), ("max-age=003600", 3600), ("max-age=\"60\"", 60),
    ("foo, max-age=60", 60), ("foo=\"a, b\", max-age=60,", 60), (", ,max-age=60", 60),
    ("max-age=60, max-age=60", 60), ("max-age=60 , public", 60),
    ("max-age=99999999999999999999999", 2_147_483_648), ("max-age=2147483649", 2_147_483_648),
    ("foo=\"x\\\"max-age=5\", max-age=60", 60), ("max-age=0", 0),
  ])
  func `RFC 9111 5.2: a number of seconds is parsed in every valid form`(
    text: String, seconds: Double
  ) {
    #expect(Self.read(text).maxAge == .seconds(seconds))
  }

  @Test(arguments: [
    "max-age=-60", "max-age='60'", "max-age=60.0", "max-age=60.5", "max-age=100a", "max-age=a100",
    "max-age =60", "max-age= 60", "max-age", "max-age=", "max-age=\"\"", "max-age=60, max-age=61",
    "max-age=60, max-age=x", "max-age=6 0", "max-age=\"60", "max-age=٣", "max-age=60;a",
    "max-age=60, foo=\"bar",
  ])
  func `RFC 9111 4.2.1: an unparsable or contradictory max-age is invalid`(text: String) {
    #expect(Self.read(text).maxAge == .invalid)
  }

  @Test(arguments: [
    "foo=\"max-age=60\"", "foo=\"a\\\", max-age=60, b\"", "s-maxage=60", "x-max-age=60",
    "max-ages=60",
    "", ",,,", "=60", "proxy-revalidate",
  ])
  func `RFC 9111 5.2: quoted text and directives for other caches are ignored`(text: String) {
    #expect(Self.read(text).maxAge == .absent)
    #expect(Self.read(text).flags == [])
  }

  @Test(arguments: [
    ("no-store", CacheControl.Flags.noStore), ("No-StOrE", .noStore), ("a=b,no-store ", .noStore),
    ("no-store=1", .noStore), ("no-cache", .noCache), ("no-cache=", .noCache),
    ("no-cache=\"\"", .noCache), ("must-revalidate", .mustRevalidate),
    ("must-understand", .mustUnderstand), ("public", .isPublic), ("private=\"a\"", .isPrivate),
    ("immutable", .immutable), ("only-if-cached", .onlyIfCached),
    ("foo=\"open, no-store", .noStore), ("x,\tno-store\t", .noStore),
  ])
  func `RFC 9111 5.2.2: a directive is found at any position`(
    text: String, flag: CacheControl.Flags
  ) {
    #expect(Self.read("max-age=1", text).flags == flag)
  }

  @Test func `RFC 9111 5.2: several lines are combined`() {
    let control = Self.read("max-age=60", "no-cache=\"A, b\"", "max-age=60", "no-cache=c")
    #expect(control.maxAge == .seconds(60))
    #expect(control.noCacheFields == ["a", "b", "c"])
    #expect(!control.flags.contains(.noCache))
    #expect(Self.read("max-age=1", "max-age=2").maxAge == .invalid)
  }

  @Test func `RFC 9111 5.2.1: max-stale needs no argument`() {
    #expect(Self.read("max-stale").maxStale == .seconds(.infinity))
    #expect(Self.read("max-stale=5, min-fresh=7").maxStale == .seconds(5))
    #expect(Self.read("max-stale=5, min-fresh=7").minFresh == .seconds(7))
    #expect(Self.read("max-stale=x").maxStale == .invalid)
  }

  @Test func `RFC 5861: windows for stale responses are parsed`() {
    let control = Self.read("stale-while-revalidate=30, stale-if-error=40")
    #expect(control.staleWhileRevalidate == .seconds(30))
    #expect(control.staleIfError == .seconds(40))
  }
}
