// A stand-in for Apple's Foundation, for type-checking only: written from its documentation, with the declarations that
// Quire uses. Nothing of it is run.

open class NSString: NSObject {
  public init(string: String) { fatalError() }
}

open class NSCache<KeyType: AnyObject, ObjectType: AnyObject>: NSObject {
  open func object(forKey key: KeyType) -> ObjectType? { fatalError() }
  open func setObject(_ object: ObjectType, forKey key: KeyType, cost: Int) { fatalError() }
  open var totalCostLimit: Int {
    get { fatalError() }
    set { fatalError() }
  }
}
