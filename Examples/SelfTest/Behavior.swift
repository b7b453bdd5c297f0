#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  import Quire
  import UIKit

  /// Something that a person has to see, because only UIKit decides about it.
  struct Behavior {
    let title: String
    /// What to do on the screen that opens, and what must be seen.
    let steps: String
    let screen: @MainActor () -> UIViewController

    @MainActor static let all = [
      Behavior(
        title: "A refresh by the program shows the control",
        steps: "Tap “Refresh” at the top of the list: the spinner is visible. Scroll down, tap it again: rows stay.",
        screen: { DemoTable.make() }),
      Behavior(
        title: "A failed refresh covers no row",
        steps:
          "Pull. A text stays below the bar, and the first row below it. Scroll: titles stop below the text. Tap it.",
        screen: { DemoTable.make(DemoServer(failsAfterFirst: true), isDivided: true) }),
      Behavior(
        title: "A header of the program stays open",
        steps: "Pull and release: the rows rest 60 points lower without a jump, and return at the end.",
        screen: { DemoTable.make(hasOwnHeader: true) }),
      Behavior(
        title: "Pages above the rows move nothing",
        steps: "The list starts with row 100. Scroll up slowly and fast: no row jumps, and the scroll goes on.",
        screen: { DemoTable.make(startsAt: 5) }),
      Behavior(
        title: "The same in a collection view",
        steps: "Scroll up slowly and fast: no item jumps, and the scroll goes on.",
        screen: { DemoGrid.make(startsAt: 5) }),
      Behavior(
        title: "A moved row settles where it was dropped",
        steps: "Tap “Edit”. Move a row: its drop isn't cut short. Move row 0: it returns to its place after the drop.",
        screen: { DemoTable.make(isEditing: true) }),
      Behavior(
        title: "Items are moved with a long press",
        steps: "Hold an item and drag it. It settles where it was dropped.",
        screen: { DemoGrid.make() }),
      Behavior(
        title: "Rows that can't be deleted are swiped",
        steps: "Swipe right: “Grow”. Swipe left: nothing, and no “Delete”.",
        screen: { DemoTable.make() }),
      Behavior(
        title: "A row grows with its content",
        steps: "Swipe right and tap “Grow”, twice: the row has two lines more each time, without a gap or a cut.",
        screen: { DemoTable.make() }),
      Behavior(
        title: "A plain table has no gap above its rows",
        steps: "The first row touches the bar. With sections, titles have their usual padding.",
        screen: { DemoTable.make() }),
      Behavior(
        title: "Titles of a list layout have room",
        steps: "Each title has two lines, and none is cut. Rotate.",
        screen: { DemoGrid.make(isList: true) }),
      Behavior(
        title: "A placeholder is below the header of the table",
        steps: "“Nothing here yet” is in the middle below the gray header. Rotate: it stays there.",
        screen: { DemoTable.make(DemoServer(count: 0), hasTableHeader: true) }),
      Behavior(
        title: "Pictures arrive without a jump",
        steps:
          "Pictures appear one after the other; texts don't move. Scroll fast: no row has a picture of another one.",
        screen: { DemoTable.make(hasPictures: true) }),
      Behavior(
        title: "Larger text",
        steps:
          "Choose the largest text in the settings: rows, titles, footer and placeholder grow, and nothing is cut.",
        screen: { DemoTable.make(hasPictures: true) }),
      Behavior(
        title: "Methods of subclasses are called",
        steps: "Tap a row: its title has a check mark. Rows with even numbers aren't highlighted.",
        screen: { DemoTable.make() }),
      Behavior(
        title: "Nothing is reported in the console",
        steps:
          "No UITableViewAlertForVisibleCellsAccessDuringUpdate, no constraint that is broken, in all of the above.",
        screen: { DemoTable.make() }),
      Behavior(
        title: "SwiftUI: a list",
        steps: "Pull, scroll to the end, tap “Last row”, turn pulling off and on: the position stays.",
        screen: { DemoView.make() }),
      Behavior(
        title: "SwiftUI: a failed refresh",
        steps: "Pull. A text is above the rows and covers none. Tap it.",
        screen: { DemoView.make(DemoServer(failsAfterFirst: true)) }),
    ]
  }
#endif
