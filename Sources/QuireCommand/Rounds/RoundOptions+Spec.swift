internal import ListSync
internal import Quire

extension RoundOptions {
  /// The options of rounds.
  static let options: [OptionSpec] =
    [
      OptionSpec(
        "every", "SECONDS",
        "read the list again and again, with this time from the beginning of a round to that of the next one: 30s; one"
          + " round by default"),
      OptionSpec(
        "max-deletes", "N|all",
        "hold back all deletes of a round if there are more than N; by default the larger of 10 rows and a tenth of them"
      ),
      OptionSpec(
        "newest-first", "PATH",
        "the list is sorted by the value at this path of its rows, newest first: read it only down to the last mark, and"
          + " as far below it as rows came late"),
      OptionSpec(
        "since-param", "NAME=PATH",
        "the server returns what has changed since the value of this parameter: send the last mark, the highest value at"
          + " this path of the rows, as updated_after=updated_at"),
      OptionSpec(
        "full", "N",
        "with one of these two, read the whole list in each Nth round, which shows deletes and what the other rounds"
          + " missed; \(SyncWatermark.usualFullEvery) by default"),
      consistency, option("distrust"),
      OptionSpec(
        "version-at", "SOURCE",
        "read the version of the whole list from here, as header:ETag; a round ends with its first page if it is that of"
          + " the last proven round"),
      option("max-empty"), option("quiet"),
    ]

  /// The options that a crawl has, too.
  static func option(_ name: String) -> OptionSpec { CrawlCommand.spec.option(name) ?? OptionSpec(name, nil, "") }

  private static let consistency = OptionSpec(
    "consistency", nil,
    "set how many requests are sent to be sure of the rows, as for crawl. Deletes are written if the claim is whole or"
      + " exact; with seams, the default, it is where pages overlap",
    choices: Consistency.Level.allCases.map(\.rawValue))
}
