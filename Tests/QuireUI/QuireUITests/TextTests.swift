import Quire
import Testing
import UIKit

@testable import QuireUIUnderTest

/// The texts that a program gives in its own language.
@MainActor @Suite struct TextTests {
  @Test(arguments: ScreenTests.Kind.allCases)
  func `the footer speaks the language of the program`(kind: ScreenTests.Kind) async {
    let world = ListWorld(Shelf(12)) {
      $0.refresh.footerTrigger = .pulling
      $0.placeholders.texts.loadMore = "Mehr laden"
      $0.placeholders.texts.nextFailed = "Noch einmal?"
      $0.placeholders.texts.noMore = "Das war alles"
    }
    let screen = kind.screen(world)
    await world.settle()
    #expect(screen.footerText == "Mehr laden")
    world.shelf.failOnce()
    world.controller.loadMore()
    await world.settle()
    #expect(screen.footerText == "Noch einmal?")
    for _ in 0..<2 {
      world.controller.loadMore()
      await world.settle()
    }
    #expect(screen.footerText == "Das war alles")
  }

  @Test func `the action that deletes an item has the title of the program`() async throws {
    let world = ListWorld(Shelf(3)) { $0.placeholders.texts.delete = "Löschen" }
    let screen = CollectionScreen(world)
    await world.settle()
    let layout = screen.controller.binding?.listLayout() as? UICollectionViewCompositionalLayout
    let actions = layout?.list(of: 0)?.trailingSwipeActionsConfigurationProvider?(
      IndexPath(item: 0, section: 0))
    #expect(actions?.actions.map(\.title) == ["Löschen"])
  }
}
