/// The options of every command that reads a list, said once.
extension ListOptions {
  static let url = OperandSpec(
    name: "URL", help: "where the list is; https:// is added where no scheme stands")

  static let finding = [
    OptionSpec("items", "PATH", "where the rows are; without it they are looked for"),
    OptionSpec(
      "id", "PATH|none",
      "where in a row its id is, by which rows that come again are dropped; without it, it is"
        + " looked for"),
    OptionSpec("where", "FILTER", "only rows for which this holds, as '@.price < 10 && @.stock'"),
  ]

  static let asking = OptionGroup(
    title: "how pages are asked for",
    options: [
      OptionSpec(
        "paging", nil, "the way; auto, the default, finds it out", choices: PagingChoice.names),
      OptionSpec("page-param", "PLACE", "where the number of the page goes; page by default"),
      OptionSpec("first-page", "N", "the number of the first page; 1 by default"),
      OptionSpec("pages", "SOURCE", "where the number of pages is"),
      OptionSpec("next-page", "SOURCE", "where the number of the next page is"),
      OptionSpec("last-page", "SOURCE", "where the number of the last page is"),
      OptionSpec(
        "offset-param", "PLACE", "where the number of rows before goes; offset by default"),
      OptionSpec("first-offset", "N", "the number of the first row, 0 or 1; 0 by default"),
      OptionSpec("limit-param", "PLACE|none", "where the size of a page goes; limit by default"),
      OptionSpec(
        "size-param", "PLACE|none",
        "the same for numbered pages, per_page by default, and for any other way"),
      OptionSpec("size", "N", "how many rows a page is asked to have"),
      OptionSpec("cursor", "SOURCE", "where the cursor of the next page is"),
      OptionSpec("cursor-into", "PLACE", "where it goes; query:cursor by default"),
      OptionSpec("next", "SOURCE", "where the address of the next page is"),
      OptionSpec("next-base", "URL", "what such an address counts from, if not from its answer"),
      OptionSpec("keyset", "PATH=PLACE,…", "values of the last row and where they go"),
      OptionSpec("connection", "PATH", "the Relay connection; without it, what --items is in"),
      OptionSpec("unit", "NAME", "what a Range header counts; items by default"),
      OptionSpec("has-next", "SOURCE", "where it says whether there is a next page"),
      OptionSpec("end-status", "N", "the error status of a page behind the last one, as 404"),
      OptionSpec("total", "SOURCE", "where the number of all rows is"),
      OptionSpec(
        "allow-other-origin", nil,
        "follow links and redirects that leave the origin of the first page; another origin gets no"
          + " headers of yours"),
    ])

  static let request = [
    OptionSpec("method", "METHOD", "GET by default, POST with --body"),
    OptionSpec(
      "body", "JSON", "what to send; @FILE reads it from there", isSecret: true,
      completion: .markedFile),
    OptionSpec(
      "header", "'NAME: VALUE'", "a header of every request", repeats: true, isSecret: true),
    OptionSpec(
      "proxy", "URL|none",
      "the proxy of all requests: http://[USER:PASSWORD@]HOST:PORT, or socks5:// or socks5h://,"
        + " where the proxy resolves names. Without this option, http_proxy, https_proxy, all_proxy"
        + " and no_proxy in the environment are used; none ignores them", isSecret: true),
    OptionSpec("cacert", "FILE", "who may vouch for the server, as PEM", completion: .file),
    OptionSpec("cert", "FILE", "the certificate to show, as PEM", completion: .file),
    OptionSpec("key", "FILE", "its key, if not in the same file", completion: .file),
    OptionSpec("http1", nil, "don't offer HTTP/2"),
    OptionSpec(
      "timeout", "SECONDS", "how long a page may take with all its tries; 60 by default"),
    OptionSpec(
      "retries", "N",
      "how often a page is tried again; 2 by default, and never more than a fifth of all requests"
        + " behind the first ten tries"),
    OptionSpec("rate", "N/s", "how many requests are made at most, per s, min or h"),
    OptionSpec("cache", "DIR", "keep answers there and use them again", completion: .folder),
    OptionSpec("offline", nil, "use the cache and not the network"),
  ]

  static let places = CommandSpec.Note(
    title: "PATH, SOURCE and PLACE",
    lines: [
      "PATH    a place in JSON: data.items, $['a.b'][0] or /data/items",
      "SOURCE  a PATH in the answer, header:NAME, header:NAME#PATH for JSON in a",
      "        header, or rel:NAME@PATH for the link of that relation in an array",
      "PLACE   query:NAME (or NAME alone), body:PATH, header:NAME or path:NAME",
    ])
}
