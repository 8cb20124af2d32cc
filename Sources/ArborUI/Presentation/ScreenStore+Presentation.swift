#if canImport(SwiftUI)
  public import Arbor
  public import SwiftUI

  extension ScreenStore {
    /// Returns a binding to an optional part for a sheet, cover, popover or navigation destination, and sends an action
    /// when the screen is dismissed.
    ///
    /// ```swift
    /// .sheet(item: store.item(\.editor, dismiss: { AppAction.closeEditor($0.id) })) { editor in … }
    /// ```
    ///
    /// - The binding follows the id of the item. A change to the item itself does not present it again.
    /// - A dismissal is sent once, and only if the item is still the one that was presented when the binding was made.
    ///   If the reducers keep the item, the screen is notified and presents it again.
    /// - The part may also be a case of an enum. Add a property that is nil in any other case: `\.destination.editor`.
    /// - Bindings are compared as in ``binding(_:send:)``; equal bindings also present the same item.
    /// - Parameters:
    ///   - part: The optional part of the state.
    ///   - action: Makes the action that dismisses an item.
    /// - Returns: The binding.
    public func item<Item: Identifiable & Sendable>(
      _ part: any KeyPath<State, Item?> & Sendable,
      dismiss action: @autoclosure @escaping () -> (@Sendable (_ item: Item) -> Action)
    ) -> Binding<Item?> where Item.ID: Sendable {
      binding(to: \.[presented(part, .init(action))])
    }

    /// Returns a binding that is `true` while an optional part has a value, for alerts, dialogs and other screens
    /// presented by a Boolean; see ``item(_:dismiss:)``.
    ///
    /// - Parameters:
    ///   - part: The optional part of the state.
    ///   - action: Makes the action that dismisses an item.
    /// - Returns: The binding.
    public func isPresented<Item: Identifiable & Sendable>(
      _ part: any KeyPath<State, Item?> & Sendable,
      dismiss action: @autoclosure @escaping () -> (@Sendable (_ item: Item) -> Action)
    ) -> Binding<Bool> where Item.ID: Sendable {
      binding(to: \.[isPresented: presented(part, .init(action))])
    }

    fileprivate func presented<Item>(
      _ part: KeyPath<State, Item?>,
      _ dismissal: PresentedItem<State, Action, Item>.Dismissal
    ) -> PresentedItem<State, Action, Item> {
      let presented = PresentedItem(part: part, dismissal: dismissal, presented: self[untracked: part])
      // Because of this read, the view makes another binding when another item is to be presented.
      _ = self[presented.id]
      return presented
    }
  }

  extension ScreenStore where Action == Mutation<State> {
    /// Returns a binding to an optional part that commits nil when the screen is dismissed; see ``item(_:dismiss:)``.
    ///
    /// - Parameter part: The key path of the part.
    public func item<Item: Identifiable & Sendable>(
      _ part: any WritableKeyPath<State, Item?> & Sendable
    ) -> Binding<Item?> where Item.ID: Sendable {
      binding(to: \.[presented(part, .init(committingTo: part))])
    }

    /// Returns a binding that is `true` while an optional part has a value, and that commits nil when the screen is
    /// dismissed; see ``item(_:dismiss:)``.
    ///
    /// - Parameter part: The key path of the part.
    public func isPresented<Item: Identifiable & Sendable>(
      _ part: any WritableKeyPath<State, Item?> & Sendable
    ) -> Binding<Bool> where Item.ID: Sendable {
      binding(to: \.[isPresented: presented(part, .init(committingTo: part))])
    }
  }
#endif
