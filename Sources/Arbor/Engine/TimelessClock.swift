/// A clock on which all time passes at once: nothing that is measured by it lasts.
package protocol TimelessClock: Clock {}
