@_exported public import ServerAPI
