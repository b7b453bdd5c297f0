#if SQLITE
  import Testing

  @testable import ServerAPI

  /// The trust of a store in files.
  @Suite struct FileFactsTests {
    @Test(arguments: [
      (FileFacts.Kind.folder, UInt32(7), UInt32(0o700)), (.folder, 7, 0o755), (.folder, 7, 0o2755),
      (.folder, 7, 0o500), (.file, 7, 0o600), (.file, 7, 0o644), (.file, 7, 0o400),
    ])
    func `a file that only its user can change is trusted`(
      kind: FileFacts.Kind, owner: UInt32, mode: UInt32
    ) {
      #expect(FileFacts(kind: kind, owner: owner, mode: mode).reasonForDistrust(by: 7) == nil)
    }

    @Test(arguments: [
      (
        FileFacts.Kind.folder, UInt32(8), UInt32(0o700),
        "belongs to user 8, but this program runs as user 7"
      ),
      (.folder, 0, 0o755, "belongs to user 0"), (.file, 8, 0o600, "belongs to user 8"),
      (.folder, 7, 0o777, "mode 777"), (.folder, 7, 0o720, "run chmod go-w"),
      (.folder, 7, 0o702, "mode 702"), (.folder, 7, 0o1777, "mode 1777"),
      (.file, 7, 0o660, "mode 660"), (.file, 7, 0o602, "mode 602"),
      (.link, 7, 0o777, "symbolic link"), (.link, 8, 0o777, "symbolic link"),
    ])
    func `a file that another user may have changed is refused with advice`(
      kind: FileFacts.Kind, owner: UInt32, mode: UInt32, text: String
    ) throws {
      let why = try #require(FileFacts(kind: kind, owner: owner, mode: mode).reasonForDistrust(by: 7))
      #expect(why.contains(text), "\(why)")
      #expect(why.contains("; "), "\(why)")
    }

    @Test func `a folder of a user is not trusted by the administrator`() {
      let facts = FileFacts(kind: .folder, owner: 1_000, mode: 0o700)
      #expect(facts.reasonForDistrust(by: 0) != nil)
      #expect(facts.reasonForDistrust(by: 1_000) == nil)
    }
  }
#endif
