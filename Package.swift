// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// The gate turns warnings into errors; a user who builds the package as a dependency is spared.
let strict = ProcessInfo.processInfo.environment["QUIRE_STRICT"] == "1"

/// Set together with `--sanitize thread`, which does not understand the system's `Mutex` on Linux.
let watched = ProcessInfo.processInfo.environment["QUIRE_TSAN"] == "1"

/// Compiles what systems of Apple before version 26 run, so that tests can run it here.
let older = ProcessInfo.processInfo.environment["QUIRE_OLD_SYSTEM"] == "1"

let apple: [Platform] = [.iOS, .macCatalyst, .macOS, .tvOS, .visionOS, .watchOS]

/// One list for all Swift targets, so that no module is checked less than its neighbour.
///
/// A trait is defined on every system, also where its library isn't used. So the sources ask for these two instead.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .define("LIBCURL", .when(platforms: [.linux], traits: ["Curl"])),
    .define("SQLITE", .when(platforms: [.linux], traits: ["SQLite"])),
    .define("SQLITE", .when(platforms: apple)),
  ] + (strict ? [.treatAllWarnings(as: .error)] : []) + (older ? [.define("OLD_SYSTEM")] : [])

let package = Package(
  name: "Quire",
  platforms: [.iOS(.v18), .macCatalyst(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "ListSync", targets: ["ListSync"]),
    .library(name: "Quire", targets: ["Quire"]),
    .library(name: "QuireCollect", targets: ["QuireCollect"]),
    .library(name: "QuireTesting", targets: ["QuireTesting"]),
    .library(name: "QuireUI", targets: ["QuireUI"]),
    .library(name: "TerminalList", targets: ["TerminalList"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .executable(name: "quire", targets: ["QuireCommand"]),
  ],
  traits: [
    .trait(name: "Curl", description: "On Linux: requests over libcurl instead of URLSession. Needs its headers."),
    .trait(name: "SimdJSON", description: "On Linux: JSON is parsed by simdjson. Needs its headers."),
    .trait(name: "SQLite", description: "On Linux: caches and lists on disk, in sqlite3. Needs its headers."),
    .default(enabledTraits: ["Curl", "SimdJSON", "SQLite"]),
  ],
  targets: [
    .target(
      name: "CCurl", cSettings: [.define("QUIRE_CURL", .when(platforms: [.linux], traits: ["Curl"]))],
      linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux], traits: ["Curl"]))]),
    .target(
      name: "CSimdJSON",
      cxxSettings: [.define("QUIRE_SIMDJSON", .when(platforms: [.linux], traits: ["SimdJSON"]))],
      linkerSettings: [.linkedLibrary("simdjson", .when(platforms: [.linux], traits: ["SimdJSON"]))]),
    // Apple's systems have it, but no file for pkg-config.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CAllocation"),
    .target(name: "CTerminal"),
    .target(name: "CYAML"),
    .target(
      name: "Support", swiftSettings: settings + (watched ? [.define("THREAD_SANITIZER")] : [])),
    .target(
      name: "SQLiteFile",
      dependencies: [.target(name: "CSQLite", condition: .when(platforms: apple + [.linux]))],
      swiftSettings: settings),
    .target(
      name: "ItemMapping", dependencies: ["CAllocation", "CSimdJSON", "Support"],
      swiftSettings: settings),
    .target(
      name: "ServerAPI",
      dependencies: [
        .target(name: "CCurl", condition: .when(platforms: [.linux], traits: ["Curl"])),
        .target(name: "CSQLite", condition: .when(platforms: apple + [.linux])), "SQLiteFile", "Support",
      ],
      swiftSettings: settings),
    .target(
      name: "ListReading", dependencies: ["ItemMapping", "ServerAPI", "Support"],
      swiftSettings: settings),
    .target(
      name: "ListModel", dependencies: ["ItemMapping", "ListReading", "ServerAPI", "Support"],
      swiftSettings: settings),
    .target(
      name: "ListSync", dependencies: ["ItemMapping", "ListModel", "ListReading", "ServerAPI", "Support"],
      swiftSettings: settings),
    .target(
      name: "QuireCollect",
      dependencies: ["ItemMapping", "ListModel", "ListReading", "ListSync", "SQLiteFile", "ServerAPI", "Support"],
      swiftSettings: settings),
    .target(
      name: "ListPresentation", dependencies: ["ListModel", "ListReading", "ServerAPI", "Support"],
      swiftSettings: settings),
    .target(
      name: "TerminalList",
      dependencies: [
        "CTerminal", "ListModel", "ListPresentation", "ListReading", "ServerAPI", "Support",
      ],
      swiftSettings: settings),
    .target(
      name: "URLSessionTransport", dependencies: ["ServerAPI", "Support"], swiftSettings: settings),
    // The same sources, and empty where there is libcurl: it is the default transport of Linux without the trait. A
    // dependency can't have that condition, and the default program must not link Foundation's networking.
    .target(
      name: "FallbackTransport", dependencies: ["ServerAPI", "Support"],
      swiftSettings: settings + [.define("ONLY_WITHOUT_LIBCURL")]),
    .target(name: "PrivacyManifest", resources: [.copy("PrivacyInfo.xcprivacy")]),
    .target(name: "QuireTesting", dependencies: ["ServerAPI", "Support"], swiftSettings: settings),
    .target(
      name: "Quire",
      dependencies: [
        "ItemMapping", "ListModel", "ListPresentation", "ListReading", "ServerAPI",
        .target(name: "PrivacyManifest", condition: .when(platforms: apple)),
        .target(name: "FallbackTransport", condition: .when(platforms: [.linux])),
        .target(name: "URLSessionTransport", condition: .when(platforms: apple + [.android, .windows])),
      ],
      swiftSettings: settings),
    .target(name: "QuireUI", dependencies: ["Quire"], swiftSettings: settings),
    .executableTarget(
      name: "QuireCommand",
      dependencies: [
        "CAllocation", "CYAML", "ListSync", "Quire", "QuireCollect", "QuireTesting", "Support", "TerminalList",
      ],
      swiftSettings: settings),
    // Examples and the samples of the documents see only what a program of a user sees.
    .executableTarget(
      name: "BookShelf", dependencies: ["Quire"], path: "Examples/BookShelf", packageAccess: false),
    .executableTarget(
      name: "BookCollector", dependencies: ["Quire", "QuireCollect"], path: "Examples/Collector", packageAccess: false),
    .executableTarget(
      name: "EveryBook", dependencies: ["Quire"], path: "Examples/EveryBook", packageAccess: false),
    .executableTarget(
      name: "ManyUsers", dependencies: ["Quire"], path: "Examples/ManyUsers", packageAccess: false),
    .executableTarget(
      name: "SignedIn", dependencies: ["Quire"], path: "Examples/SignedIn", packageAccess: false),
    .target(name: "CStalledResolver", path: "Tests/CStalledResolver"),
    .target(
      name: "TestSupport",
      dependencies: ["ItemMapping", "ListModel", "ListReading", "QuireTesting", "ServerAPI", "Support"],
      path: "Tests/Support",
      swiftSettings: settings),
    .executableTarget(
      name: "CacheProbe", dependencies: ["Quire"], path: "Tests/CacheProbe",
      swiftSettings: settings),
    .executableTarget(
      name: "CacheWriter", dependencies: ["ServerAPI", "Support"], path: "Tests/CacheWriter",
      swiftSettings: settings),
    .testTarget(
      name: "SupportTests", dependencies: ["QuireTesting", "Support"], swiftSettings: settings),
    .testTarget(
      name: "ServerAPITests",
      dependencies: [
        "CacheWriter", "CStalledResolver", "QuireTesting", "SQLiteFile", "ServerAPI", "Support", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ItemMappingTests", dependencies: ["CSimdJSON", "ItemMapping", "QuireTesting", "Support"],
      swiftSettings: settings),
    .testTarget(
      name: "ListReadingTests",
      dependencies: [
        "ItemMapping", "ListReading", "QuireTesting", "ServerAPI", "Support", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ListModelTests",
      dependencies: [
        "ItemMapping", "ListModel", "ListReading", "QuireTesting", "ServerAPI", "Support", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ListSyncTests",
      dependencies: [
        "ItemMapping", "ListModel", "ListReading", "ListSync", "QuireTesting", "ServerAPI", "Support",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QuireCollectTests",
      dependencies: [
        "ItemMapping", "ListModel", "ListReading", "ListSync", "QuireCollect", "QuireTesting", "SQLiteFile",
        "ServerAPI",
        "Support", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GeneralityTests",
      dependencies: ["ItemMapping", "ListModel", "ListReading", "QuireTesting", "ServerAPI", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ListPresentationTests",
      dependencies: [
        "ItemMapping", "ListModel", "ListPresentation", "ListReading", "QuireTesting", "ServerAPI",
        "Support",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalListTests",
      dependencies: [
        "ItemMapping", "ListModel", "ListPresentation", "ListReading", "QuireCommand", "QuireTesting",
        "ServerAPI", "TerminalList",
      ], swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests", dependencies: ["ItemMapping", "ServerAPI"],
      swiftSettings: settings),
    .testTarget(
      name: "QuireTestingTests",
      dependencies: ["QuireTesting", "ServerAPI", "Support", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "CacheProbe", "ItemMapping", "ListModel", "ListReading", "QuireTesting", "ServerAPI", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "URLSessionTransportTests",
      dependencies: ["QuireTesting", "ServerAPI", "Support", "TestSupport", "URLSessionTransport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuireCommandTests",
      dependencies: [
        "BookCollector", "BookShelf", "EveryBook", "ListSync", "ManyUsers", "Quire", "QuireCollect", "QuireCommand",
        "QuireTesting", "SQLiteFile", "SignedIn", "Support", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BookShelfTests", dependencies: ["BookShelf", "Quire", "QuireTesting"],
      path: "Examples/BookShelfTests", packageAccess: false),
    .testTarget(
      name: "DocumentationTests", dependencies: ["ListSync", "Quire", "QuireCollect", "QuireTesting"],
      packageAccess: false,
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

/// With `QUIRE_TARGETS` only the targets with these names are built, and what they depend on: scripts that
/// build in a way of their own need a few of them.
if let names = ProcessInfo.processInfo.environment["QUIRE_TARGETS"] {
  var kept = Set(names.split(separator: " ").map(String.init))
  var open = Array(kept)
  while let name = open.popLast() {
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      switch dependency {
      case .byNameItem(let name, _) where kept.insert(name).inserted: open.append(name)
      case .targetItem(let name, _) where kept.insert(name).inserted: open.append(name)
      default: break
      }
    }
  }
  package.products = []
  package.targets.removeAll { !kept.contains($0.name) }
}
