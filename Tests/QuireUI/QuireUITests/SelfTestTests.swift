import Foundation
import Quire
import QuireUIUnderTest
import Testing
import UIKit

@testable import SelfTest

/// The app in `Examples/SelfTest`, as far as it runs without a device.
@MainActor @Suite struct SelfTestTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  @Test func `the proofs of the self-test pass here, and are shown`() async throws {
    let screen = SelfTestScreen(proofs: Proof.ofThisPlatform)
    screen.appear(in: window)
    await screen.runAll()
    await screen.list.eventsDelivered()
    let checks = try #require(screen.list.sections.section(at: 0)).items
    #expect(checks.count == Proof.ofThisPlatform.count)
    for check in checks { #expect(check.state == .passed, "\(check.id): \(check.detail)") }
    screen.lay()
    let cell = screen.tableView.cellForRow(at: IndexPath(row: 0, section: 0))
    #expect((cell?.accessoryView as? UIImageView)?.image?.name == "checkmark.circle")
  }

  @Test func `each behavior opens its screen and can be judged`() async throws {
    let screen = SelfTestScreen(proofs: [])
    let navigation = UINavigationController(rootViewController: screen)
    screen.appear(in: window)
    for row in Behavior.all.indices {
      let position = RowPosition(section: 0, row: row)
      screen.list.act(.select, at: position)
      let opened = try #require(navigation.viewControllers.last)
      #expect(navigation.viewControllers.count == row + 2)
      opened.appear(in: window)
      opened.disappear()
      screen.list.act(.swipe(row.isMultiple(of: 2) ? "passed" : "failed"), at: position)
    }
    await screen.list.eventsDelivered()
    let states = try #require(screen.list.sections.section(at: 0)).items.map(\.state)
    #expect(states.count == Behavior.all.count && !states.contains(.open))
    #expect(Set(states).count == 2)
    #expect(Proof.ofTheTransport.count > 20)
  }
}
