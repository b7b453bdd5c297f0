import Foundation
import ServerAPI
import Testing

@testable import ListModel
@testable import ListReading

struct FreshnessTests {
  private static let lost = LoadError.request(RequestError(.connectRefused))

  @Test(arguments: [
    (0.0, 0, "1970-01-01", "00:00"), (1_700_000_000, 0, "2023-11-14", "22:13"),
    (1_700_000_000.99, 3_600, "2023-11-14", "23:13"), (1_700_000_000, 7_200, "2023-11-15", "00:13"),
    (1_700_000_000, -43_200, "2023-11-14", "10:13"), (-1, 0, "1969-12-31", "23:59"),
    (951_782_400, 0, "2000-02-29", "00:00"), (951_868_800, 0, "2000-03-01", "00:00"),
    (4_107_542_400, 0, "2100-03-01", "00:00"), (-62_135_596_799, 0, "0001-01-01", "00:00"),
    (253_402_300_799, 0, "9999-12-31", "23:59"),
  ])
  func `a time shows as a day and a minute`(
    moment: Double, offset: Int, day: String, time: String
  ) throws {
    let zone = try #require(TimeZone(secondsFromGMT: offset))
    let face = WallTime(Date(timeIntervalSince1970: moment), in: zone)
    #expect(face?.day == day && face?.time == time, "\(String(describing: face))")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -62_135_596_800, 253_402_300_800])
  func `an unrepresentable time shows as nothing`(moment: Double) {
    #expect(WallTime(Date(timeIntervalSince1970: moment), in: .gmt) == nil)
    #expect(Freshness.stored(asOf: Date(timeIntervalSince1970: moment)).text() == nil)
  }

  @Test func `data that is not live has a text with its age`() throws {
    let hour = try #require(TimeZone(secondsFromGMT: 3_600))
    let stored = Freshness.stored(asOf: Date(timeIntervalSince1970: 1_700_000_000))
    #expect(stored.text(at: Date(timeIntervalSince1970: 1_700_000_500), in: .gmt) == "from 22:13")
    #expect(
      stored.text(at: Date(timeIntervalSince1970: 1_700_000_500), in: hour) == "from 23:13")
    #expect(
      stored.text(at: Date(timeIntervalSince1970: 1_700_090_000), in: .gmt)
        == "from 2023-11-14 22:13")
    #expect(stored.text(in: .gmt) == "from 2023-11-14 22:13")
    #expect(
      Freshness.unreachable(asOf: Date(timeIntervalSince1970: 0), Self.lost).text(
        at: Date(timeIntervalSince1970: 60), in: .gmt) == "from 00:00")
    #expect(
      Freshness.live(asOf: Date(timeIntervalSince1970: 0)).text() == nil
        && Freshness.nothing.text() == nil)
  }

  @Test func `a failure makes the server unreachable until the next response`() {
    var record = FreshnessRecord()
    record.failed(Self.lost)
    #expect(record.freshness == .nothing)
    record.begin(with: .cache(asOf: Date(timeIntervalSince1970: 5), isFresh: false), asOf: 5)
    #expect(record.freshness == .unreachable(asOf: Date(timeIntervalSince1970: 5), Self.lost))
    record.begin(with: .network, asOf: 9)
    #expect(record.freshness == .live(asOf: Date(timeIntervalSince1970: 9)))
    record.failed(Self.lost)
    record.didReceive(.cache(asOf: Date(timeIntervalSince1970: 1), isFresh: true))
    #expect(record.freshness == .unreachable(asOf: Date(timeIntervalSince1970: 9), Self.lost))
    record.didReceive(.validated)
    #expect(record.freshness == .live(asOf: Date(timeIntervalSince1970: 9)))
  }

  @Test(arguments: [
    (RequestError.Kind.connectRefused, Bool?.some(true)), (.timeout(.total), true),
    (.nameNotResolved(host: "h"), true), (.offline, true), (.notStored, true),
    (.unexpectedContent(.captivePortal), true), (.status(404), false), (.status(503), false),
    (.business(code: "1", message: ""), false), (.unexpectedContent(.empty), false),
    (.cancelled(.byCaller), nil),
  ])
  func `a server is unreachable only if there is no response`(
    kind: RequestError.Kind, isUnreachable: Bool?
  ) {
    let error = LoadError.request(RequestError(kind))
    #expect(error.isUnreachable == isUnreachable)
    var record = FreshnessRecord()
    record.begin(with: .network, asOf: 1)
    record.failed(error)
    #expect(
      record.freshness
        == (isUnreachable == true
          ? .unreachable(asOf: Date(timeIntervalSince1970: 1), error)
          : .live(asOf: Date(timeIntervalSince1970: 1))))
  }
}
