/// The options shared by all commands that read a list.
extension ListOptions {
  static let url = OperandSpec(
    name: "URL", help: "the address of the list; https:// is added if it has no scheme")

  static let rows = [
    OptionSpec("items", "PATH", "read the rows from this array; detected by default"),
    OptionSpec(
      "id", "PATH|none",
      "identify rows by this member and drop duplicates; detected by default, none keeps all"
        + " rows"),
    OptionSpec("where", "FILTER", "keep only matching rows, as in '@.price < 10'"),
    OptionSpec(
      "failure", "PATH=VALUE",
      "fail a page without rows whose response has this value here, whatever its status is; the list may lack rows"
        + " if such a page has some",
      repeats: true),
    OptionSpec(
      "no-failure", "NAME|all",
      "don't read a failure from this member, such as status or errors; all reads none but those of --failure",
      repeats: true),
  ]

  static let request = [
    OptionSpec(
      "header", "'NAME: VALUE'",
      "send this header with every request; @FILE reads one per line, which keeps secrets out of the"
        + " list of processes",
      repeats: true, isSecret: true, completion: .fileAfterAt),
    OptionSpec(
      "token-env", "NAME", "send the token in this environment variable: Authorization: Bearer …"),
    OptionSpec(
      "token-command", "CMD",
      "send the token that this shell command prints: Authorization: Bearer …; the command runs before the"
        + " first request, and again when the server responds with 401",
      isSecret: true),
    OptionSpec(
      "body", "JSON", "send this body; @FILE reads it from a file", isSecret: true,
      completion: .fileAfterAt),
    OptionSpec(
      "form", "NAME=VALUE",
      "send this field of a form (application/x-www-form-urlencoded) in the body; @FILE reads one per line",
      repeats: true, isSecret: true, completion: .fileAfterAt),
    OptionSpec("method", "METHOD", "use this method; GET by default, POST with --body or --form"),
    OptionSpec("rate", "N/s", "send at most N requests per second: 5/s; also N/min and N/h"),
    OptionSpec(
      "timeout", "SECONDS", "fail a page after this time, including retries; 60 by default"),
    OptionSpec(
      "retries", "N",
      "retry each page up to N times; 2 by default. Lost connections, stalled and damaged responses, and"
        + " temporary errors of the server are retried"),
    OptionSpec(
      "retry-rate", "N", "retry at most N times per second, all pages together; 10 by default"),
    OptionSpec(
      "wait", "SECONDS",
      "wait up to this time in all when the server asks for pauses, which are no retries and don't count against"
        + " --timeout; the longer of 120 and --timeout by default"),
    OptionSpec(
      "max-memory", "SIZE",
      "refuse a page if it and the others in flight take more memory, read and parsed: 64M by default;"
        + " also K and G"),
    OptionSpec(
      "cache", "DIR", "store responses in this folder and reuse them", completion: .folder),
    OptionSpec(
      "offline", nil, "use only the cache, never the network, whatever other options ask for"),
    OptionSpec(
      "proxy", "URL|none",
      "send all requests through this proxy: http://[USER:PASSWORD@]HOST:PORT, socks5:// or"
        + " socks5h://; with socks5h:// the proxy resolves names. Without this option, http_proxy,"
        + " https_proxy, all_proxy and no_proxy in the environment are used; none ignores them",
      isSecret: true),
    OptionSpec(
      "cacert", "FILE", "trust the certificate authorities in this PEM file", completion: .file),
    OptionSpec("cert", "FILE", "send the client certificate in this PEM file", completion: .file),
    OptionSpec(
      "key", "FILE", "use this private key, if the file of --cert has none", completion: .file),
    OptionSpec("http1", nil, "don't offer HTTP/2"),
  ]

  static let paging = OptionGroup(
    title: "paging",
    options: [
      OptionSpec(
        "paging", nil, "set how the server pages; auto, the default, detects it",
        choices: PagingChoice.names),
      OptionSpec("size", "N", "request N rows per page"),
      OptionSpec("cursor", "SOURCE", "read the cursor of the next page from here"),
      OptionSpec("cursor-into", "PLACE", "send the cursor here; query:cursor by default"),
      OptionSpec("next", "SOURCE", "read the address of the next page from here"),
      OptionSpec(
        "next-base", "URL", "resolve the addresses of --next against URL, not against their page"),
      OptionSpec("page-param", "PLACE", "send the page number here; page by default"),
      OptionSpec("first-page", "N", "set the number of the first page; 1 by default"),
      OptionSpec("pages", "SOURCE", "read the number of pages from here"),
      OptionSpec("next-page", "SOURCE", "read the number of the next page from here"),
      OptionSpec("last-page", "SOURCE", "read the number of the last page from here"),
      OptionSpec("total", "SOURCE", "read the total number of rows from here"),
      OptionSpec(
        "has-next", "SOURCE",
        "read from here whether there is a next page; '!SOURCE' reads whether there is none"),
      OptionSpec("offset-param", "PLACE", "send the row offset here; offset by default"),
      OptionSpec("first-offset", "N", "set the offset of the first row, 0 or 1; 0 by default"),
      OptionSpec(
        "limit-param", "PLACE|none",
        "send the page size here, for offsets or keysets;"
          + " limit by default"),
      OptionSpec(
        "size-param", "PLACE|none",
        "send the page size here, for any paging; per_page by default for page numbers"),
      OptionSpec(
        "keyset", "PATH=PLACE,…", "read PATH in the last row and send its value to PLACE"),
      OptionSpec(
        "unique-keys", nil,
        "trust that no two rows have the same values of --keyset, so that none is skipped"),
      OptionSpec(
        "connection", "PATH",
        "set the path of the Relay connection; the parent of --items by default"
      ),
      OptionSpec("unit", "NAME", "set the unit of the Range header; items by default"),
      OptionSpec(
        "end-status", "N", "treat this error status, such as 404, as the end of the list"),
      OptionSpec(
        "end", "RULE",
        "end the list at a page without rows (empty), at one that repeats the cursor it was requested"
          + " with (repeat), or at one with a cursor that the service documents as the end"
          + " (cursor:VALUE, as in cursor:0)"),
      OptionSpec(
        "allow-other-origin", nil,
        "follow links and redirects that leave the origin of the first page, without your headers"),
    ])

  static let syntax = CommandSpec.Note(
    title: "PATH, SOURCE and PLACE",
    lines: [
      "PATH    a path in JSON: data.items, $['a.b'][0] or /data/items",
      "SOURCE  a PATH in the response, header:NAME, header:NAME#PATH for JSON in a",
      "        header, or rel:NAME@PATH for the link of that relation in an array",
      "PLACE   query:NAME or NAME, body:PATH, form:NAME, header:NAME or path:NAME",
    ])
}
