import Quire

/// What every form of a reading has in common.
protocol MappingReading: MappingItem {
  var battery: Int { get }
  var channel: Int { get }
  var device: Int { get }
  var errors: Int { get }
  var id: Int { get }
  var sequence: Int { get }
  var steps: Int { get }
  var time: Int { get }
  var latitude: Double { get }
  var longitude: Double { get }
  var altitude: Double { get }
  var speed: Double { get }
  var heading: Double { get }
  var temperature: Double { get }
  var pressure: Double { get }
  var humidity: Double { get }
  var voltage: Double { get }
  var current: Double { get }
  var power: Double { get }
  var energy: Double { get }
}

extension MappingReading {
  var checksum: Int {
    var sum = Checksum()
    for number in [battery, channel, device, errors, id, sequence, steps, time] { sum.add(number) }
    for number in [latitude, longitude, altitude, speed, heading, temperature] { sum.add(number) }
    for number in [pressure, humidity, voltage, current, power, energy] { sum.add(number) }
    return sum.value
  }
}

struct ReadingRow: Decodable, MappingReading {
  var battery: Int
  var channel: Int
  var device: Int
  var errors: Int
  var id: Int
  var sequence: Int
  var steps: Int
  var time: Int
  var latitude: Double
  var longitude: Double
  var altitude: Double
  var speed: Double
  var heading: Double
  var temperature: Double
  var pressure: Double
  var humidity: Double
  var voltage: Double
  var current: Double
  var power: Double
  var energy: Double
}

final class ReadingItem: BaseItem, MappingReading {
  var battery = 0
  var channel = 0
  var device = 0
  var errors = 0
  var id = 0
  var sequence = 0
  var steps = 0
  var time = 0
  var latitude = 0.0
  var longitude = 0.0
  var altitude = 0.0
  var speed = 0.0
  var heading = 0.0
  var temperature = 0.0
  var pressure = 0.0
  var humidity = 0.0
  var voltage = 0.0
  var current = 0.0
  var power = 0.0
  var energy = 0.0

  override class var fields: FieldTable {
    FieldTable(ReadingItem.self) { f in
      f(\.battery, "battery")
      f(\.channel, "channel")
      f(\.device, "device")
      f(\.errors, "errors")
      f(\.id, "id", .required)
      f(\.sequence, "sequence")
      f(\.steps, "steps")
      f(\.time, "time")
      f(\.latitude, "latitude")
      f(\.longitude, "longitude")
      f(\.altitude, "altitude")
      f(\.speed, "speed")
      f(\.heading, "heading")
      f(\.temperature, "temperature")
      f(\.pressure, "pressure")
      f(\.humidity, "humidity")
      f(\.voltage, "voltage")
      f(\.current, "current")
      f(\.power, "power")
      f(\.energy, "energy")
    }
  }
}

struct ReadingValue: ItemValue, MappingReading {
  var battery = 0
  var channel = 0
  var device = 0
  var errors = 0
  var id = 0
  var sequence = 0
  var steps = 0
  var time = 0
  var latitude = 0.0
  var longitude = 0.0
  var altitude = 0.0
  var speed = 0.0
  var heading = 0.0
  var temperature = 0.0
  var pressure = 0.0
  var humidity = 0.0
  var voltage = 0.0
  var current = 0.0
  var power = 0.0
  var energy = 0.0

  static var fields: FieldTable {
    FieldTable(ReadingValue.self) { f in
      f(\.battery, "battery")
      f(\.channel, "channel")
      f(\.device, "device")
      f(\.errors, "errors")
      f(\.id, "id", .required)
      f(\.sequence, "sequence")
      f(\.steps, "steps")
      f(\.time, "time")
      f(\.latitude, "latitude")
      f(\.longitude, "longitude")
      f(\.altitude, "altitude")
      f(\.speed, "speed")
      f(\.heading, "heading")
      f(\.temperature, "temperature")
      f(\.pressure, "pressure")
      f(\.humidity, "humidity")
      f(\.voltage, "voltage")
      f(\.current, "current")
      f(\.power, "power")
      f(\.energy, "energy")
    }
  }
}
