@_exported public import ItemMapping
@_exported public import ListModel
@_exported public import ListPresentation
@_exported public import ListReading
@_exported public import ServerAPI
