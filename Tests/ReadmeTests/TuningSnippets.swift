import Arbor
import Testing

// The code of the article about tuning. Another test compares the texts.

struct Gallery: Equatable, Sendable {
  @Stamped var photos: [String] = []
  var title = ""
}

enum GalleryAction: Equatable, Sendable {
  case add(String)
  case retitle(String)
}

let gallery = Feature<Gallery, GalleryAction> { gallery, action in
  switch action {
  case .add(let photo): gallery.photos.append(photo)
  case .retitle(let title): gallery.title = title
  }
}

@Suite("Tuning")
struct TuningSnippets {
  @Test func `observers are called only for the part that they compare`() {
    let store = StoreFactory(initialState: Gallery(), feature: gallery)
    let names = ["Oak", "Rowan", "Ash"]
    var subscriptions: Set<StoreSubscription> = []
    let (counts, titles) = (Values<Int>(), Values<String>())

    store.observe(removeDuplicates: .by(\.$photos)) { gallery in  // keeps a stamp, and no photos
      print("\(gallery.photos.count) photos")
      counts.append(gallery.photos.count)
    }
    .store(in: &subscriptions)

    store.scope(to: \.title).observe { changes in  // keeps the previous title, and no photos
      changes.ifChanged(\.self) { title in
        print(title)
        titles.append(title)
      }
    }
    .store(in: &subscriptions)

    store.dispatch(batch: names.map { .add($0) })  // one step: each observer is called once
    store.dispatchAndWait(.retitle("Trees"))

    #expect(counts.all == [0, 3])
    #expect(titles.all == ["", "Trees"])
  }
}

/// The values that observers have received.
private final class Values<Value: Sendable>: @unchecked Sendable {  // Used on one store's queue, and after it.
  private(set) var all: [Value] = []

  func append(_ value: Value) { all.append(value) }
}
