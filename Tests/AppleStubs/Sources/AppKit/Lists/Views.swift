public import Foundation

/// <https://developer.apple.com/documentation/appkit/nsview>
@MainActor
open class NSView: NSObject {
  // Apple's initializer takes a frame; this one replaces it.
  public nonisolated override init() { super.init() }
}

/// <https://developer.apple.com/documentation/appkit/nscollectionview>
open class NSCollectionView: NSView {}

/// <https://developer.apple.com/documentation/appkit/nscollectionviewitem>
@MainActor
open class NSCollectionViewItem: NSObject {
  /// <https://developer.apple.com/documentation/appkit/nsviewcontroller/title>
  public var title: String?

  public nonisolated override init() { super.init() }
}

/// <https://developer.apple.com/documentation/appkit/nstableview>
open class NSTableView: NSView {}

/// <https://developer.apple.com/documentation/appkit/nstablecolumn>
@MainActor
open class NSTableColumn: NSObject {
  public nonisolated override init() { super.init() }
}

/// <https://developer.apple.com/documentation/appkit/nstextfield>
open class NSTextField: NSView {
  /// <https://developer.apple.com/documentation/appkit/nscontrol/stringvalue>
  public var stringValue = ""
}
