#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  import Foundation
  import Quire
  import UIKit

  #if canImport(QuireUIUnderTest)
    import QuireUIUnderTest
  #else
    import QuireUI
  #endif

  /// A row of the self-test: a proof that has run, or a behavior that a person has seen.
  struct Check: Identifiable, Sendable {
    enum State: String, Sendable { case open = "circle", passed = "checkmark.circle", failed = "xmark.octagon" }

    let id: String
    let section: String
    var detail: String
    var state = State.open
  }

  /// The self-test: what runs by itself, and below it what to tap through.
  ///
  /// A tap on a proof runs it again, one on a behavior opens its screen. A swipe to the right says that it was as
  /// described, one to the left that it wasn't.
  final class SelfTestScreen: ListTableViewController<Check>, ListControllerDelegate {
    private let checks: LocalList<Check>
    private let proofs: [Proof]

    /// Creates the screen. Put it into a navigation controller.
    init(proofs: [Proof] = Proof.all) {
      self.proofs = proofs
      let checks = LocalList(
        proofs.map { Check(id: $0.title, section: "By itself", detail: "") }
          + Behavior.all.map { Check(id: $0.title, section: "By hand", detail: $0.steps) })
      self.checks = checks
      let kinds = CellKinds<Check> {
        $0.content = { check in
          RowContent(
            check.id, subtitle: check.detail.isEmpty ? nil : check.detail,
            accessory: .named(check.state.rawValue))
        }
      }
      super.init(
        ListController(checks, kinds: kinds) {
          $0.rows.section = { SectionLabel($0.section, header: $0.section) }
        })
      list.delegate = self
      title = "Quire"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      binding?.drawing.image = { image in
        if case .named(let name) = image { UIImage(systemName: name) } else { nil }
      }
      Task { await runAll() }
    }

    /// Runs every proof, one after the other.
    func runAll() async { for proof in proofs { await run(proof) } }

    private func run(_ proof: Proof) async {
      let fault = await proof.run()
      note(proof.title, fault == nil ? .passed : .failed, fault ?? "")
    }

    private func note(_ id: String, _ state: Check.State, _ detail: String? = nil) {
      guard var check = checks.items.first(where: { $0.id == id }) else { return }
      check.state = state
      if let detail { check.detail = detail }
      try? checks.edit(.update(RowID(id), check))
    }

    func swipeActions(
      for check: Check?, at position: RowPosition, on edge: RowAction.Swipe.Edge
    ) -> [RowAction.Swipe] {
      guard let check, Behavior.all.contains(where: { $0.title == check.id }) else { return [] }
      return edge == .leading
        ? [RowAction.Swipe("passed", title: "As described")]
        : [RowAction.Swipe("failed", title: "Otherwise")]
    }

    func handle(_ action: RowAction, on check: Check?, at position: RowPosition) -> Bool {
      guard let check else { return false }
      switch action {
      case .select:
        if let proof = proofs.first(where: { $0.title == check.id }) {
          Task { await run(proof) }
        } else if let behavior = Behavior.all.first(where: { $0.title == check.id }) {
          navigationController?.pushViewController(behavior.screen(), animated: true)
        }
      case .swipe(let answer): note(check.id, answer == "passed" ? .passed : .failed)
      default: return false
      }
      return true
    }
  }
#endif
