import ItemMapping
import ServerAPI

extension Convention {
  static let numbers: [Convention] = [
    Convention(
      "spring", Call("https://bank.example.com/accounts", params: ["size": 3]), items: "content",
      #"items: "content", paging: .pageNumber(size: 3, first: 0, sizeParameter: "size", endsBy: .pageCount("totalPages"), .total("totalElements"))"#,
      because: "the body has “number” and “totalPages”",
      asks: [
        #"https://bank.example.com/accounts?size=3&page=1"#,
        #"https://bank.example.com/accounts?size=3&page=2"#,
      ]),
    Convention(
      "algolia",
      Call("https://x-dsn.algolia.net/1/indexes/things", params: ["query": "x", "hitsPerPage": 3]),
      items: "hits",
      #"items: "hits", paging: .pageNumber(size: 3, first: 0, sizeParameter: "hitsPerPage", endsBy: .pageCount("nbPages"), .total("nbHits"))"#,
      because: "the body has “page” and “nbPages”",
      asks: [
        #"https://x-dsn.algolia.net/1/indexes/things?query=x&hitsPerPage=3&page=1"#,
        #"https://x-dsn.algolia.net/1/indexes/things?query=x&hitsPerPage=3&page=2"#,
      ]),
    Convention(
      "themoviedb", Call("https://api.themoviedb.org/3/movie/popular"), items: "results",
      #"items: "results", paging: .pageNumber(endsBy: .pageCount("total_pages"), .total("total_results"))"#,
      because: "the body has “page” and “total_pages”",
      asks: [
        #"https://api.themoviedb.org/3/movie/popular?page=2"#,
        #"https://api.themoviedb.org/3/movie/popular?page=3"#,
      ]),
    Convention(
      "current-page", Call("https://api.example.com/listings"), items: "data",
      #"items: "data", paging: .pageNumber(endsBy: .lastPage("meta.last_page"), .total("meta.total"))"#,
      because: "the body has “meta.current_page” and “meta.last_page”",
      asks: [
        #"https://api.example.com/listings?page=2"#,
        #"https://api.example.com/listings?page=3"#,
      ]),
    Convention(
      "strapi", Call("https://api.example.com/listings"), items: "data",
      #"items: "data", paging: .pageNumber(parameter: "pagination[page]", endsBy: .pageCount("meta.pagination.pageCount"), .total("meta.pagination.total"))"#,
      because: "the body has “meta.pagination.page” and “meta.pagination.pageCount”",
      asks: [
        #"https://api.example.com/listings?pagination[page]=2"#,
        #"https://api.example.com/listings?pagination[page]=3"#,
      ]),
    Convention(
      "page-of-pages", Call("https://api.example.com/listings"), items: "releases",
      #"items: "releases", paging: .pageNumber(endsBy: .pageCount("pagination.pages"))"#,
      because: "the body has “pagination.page” and “pagination.pages”",
      asks: [
        #"https://api.example.com/listings?page=2"#,
        #"https://api.example.com/listings?page=3"#,
      ]),
    Convention(
      "next-page-number", Call("https://api.example.com/listings"), items: "posts",
      #"items: "posts", paging: .pageNumber(endsBy: .nextPage("meta.next_page"))"#,
      because: "the body has “meta.next_page”",
      asks: [
        #"https://api.example.com/listings?page=2"#,
        #"https://api.example.com/listings?page=3"#,
      ]),
    Convention(
      "jira", Call("https://jira.example.com/rest/api/2/search", params: ["jql": "project=QU"]),
      items: "issues",
      #"items: "issues", paging: .offset(limit: 3, parameter: "startAt", limitParameter: nil, endsBy: .total("total"))"#,
      because: "the body has “startAt” and “total”",
      asks: [
        #"https://jira.example.com/rest/api/2/search?jql=project=QU&startAt=3"#,
        #"https://jira.example.com/rest/api/2/search?jql=project=QU&startAt=6"#,
      ]),
    Convention(
      "solr", Call("https://search.example.com/solr/docs/select", params: ["q": "*:*", "rows": 3]),
      items: "response.docs",
      #"items: "response.docs", paging: .offset(limit: 3, parameter: "start", limitParameter: "rows", endsBy: .total("response.numFound"))"#,
      because: "the body has “response.start” and “response.numFound”",
      asks: [
        #"https://search.example.com/solr/docs/select?q=*:*&rows=3&start=3"#,
        #"https://search.example.com/solr/docs/select?q=*:*&rows=3&start=6"#,
      ]),
    Convention(
      "dummyjson", Call("https://dummyjson.com/products", params: ["limit": 3]), items: "products",
      #"items: "products", paging: .offset(limit: 3, parameter: "skip", endsBy: .total("total"))"#,
      because: "the body has “skip” and “total”",
      asks: [
        #"https://dummyjson.com/products?limit=3&skip=3"#,
        #"https://dummyjson.com/products?limit=3&skip=6"#,
      ]),
    Convention(
      "offset-limit", Call("https://api.example.com/products"), items: "objects",
      #"items: "objects", paging: .offset(limit: 3, limitParameter: nil, endsBy: .total("meta.total"))"#,
      because: "the body has “meta.offset” and “meta.total”",
      asks: [
        #"https://api.example.com/products?offset=3"#,
        #"https://api.example.com/products?offset=6"#,
      ]),
    Convention(
      "scim", Call("https://id.example.com/scim/v2/Users", params: ["count": 3]),
      items: "Resources",
      #"items: "Resources", paging: .offset(limit: 3, first: 1, parameter: "startIndex", limitParameter: "count", endsBy: .total("totalResults"))"#,
      because: "the body has “startIndex” and “totalResults”",
      asks: [
        #"https://id.example.com/scim/v2/Users?count=3&startIndex=4"#,
        #"https://id.example.com/scim/v2/Users?count=3&startIndex=7"#,
      ]),
    Convention(
      "info-next", Call("https://rm.example.com/api/character"), items: "results",
      #"items: "results", paging: .nextURL(at: "info.next", previous: "info.prev", total: "info.count")"#,
      because: "the body has “info.next”",
      asks: [
        #"https://rm.example.com/api/character?page=2"#,
        #"https://rm.example.com/api/character?page=3"#,
      ]),
  ]
}
