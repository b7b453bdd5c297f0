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
