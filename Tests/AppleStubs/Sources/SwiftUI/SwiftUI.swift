@_exported public import Combine
@_exported public import Foundation
@_exported public import Observation
