// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "Benchmarks", targets: ["Benchmarks"]),
    .library(name: "MallocCounter", type: .dynamic, targets: ["CMallocCounter"]),
  ],
  dependencies: [.package(name: "Quire", path: "..")],
  targets: [
    .target(name: "CCounting"),
    .target(name: "CMallocCounter"),
    .target(
      name: "CPeer", linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("simdjson")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CCounting", "CPeer", .product(name: "Quire", package: "Quire"),
        .product(name: "QuireTesting", package: "Quire"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
