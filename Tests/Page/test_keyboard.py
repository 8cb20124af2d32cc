"""The page can be used without a mouse."""

from cases import PageCase
from recordings import shop

focused = "document.activeElement.id"
selected = "page.entry?.number ?? null"


class KeyboardTests(PageCase):
    def test_up_and_down_select_and_the_state_follows(self):
        tab = self.open(shop())
        tab.evaluate("byId('grouped').click(); page.show(10); document.activeElement.blur()")
        tab.press("ArrowDown")
        self.assertEqual(tab.evaluate(focused), "list")
        tab.press("ArrowDown")
        self.assertEqual(tab.evaluate(selected), 11)
        self.assertEqual(tab.text("#state-heading"), "State after entry 11")
        tab.press("ArrowUp")
        tab.press("ArrowUp")
        self.assertEqual(tab.evaluate(selected), 9)
        tab.press("End")
        self.assertEqual(tab.evaluate("page.position"), len(shop()["entries"]))
        tab.press("Home")
        self.assertEqual(tab.evaluate(selected), 1)
        active = tab.evaluate("document.getElementById(byId('list').getAttribute('aria-activedescendant')).textContent")
        self.assertIn(shop()["entries"][0]["text"], active)

    def test_left_and_right_collapse_and_expand_the_entries_that_an_entry_caused(self):
        recording = shop()
        tab = self.open(recording)
        parent = next(entry["cause"]["action"] for entry in recording["entries"] if entry["cause"]["kind"] == "action")
        tab.evaluate(f"page.select(page.recording.placeOf({parent})); byId('list').focus()")
        before = tab.evaluate("page.list.count")
        tab.press("ArrowLeft")
        self.assertLess(tab.evaluate("page.list.count"), before)
        tab.press("ArrowRight")
        self.assertEqual(tab.evaluate("page.list.count"), before)
        tab.press("ArrowRight")
        self.assertEqual(tab.evaluate("page.entry.cause.action"), parent)
        tab.press("ArrowLeft")
        self.assertEqual(tab.evaluate(selected), parent)

    def test_keys_navigate_the_state(self):
        tab = self.open(shop())
        tab.evaluate("byId('state').focus()")
        for key in ("Home", "ArrowDown", "ArrowRight", "ArrowDown"):
            tab.press(key)
        self.assertIn("cart.items", tab.text("#value"))
        self.assertEqual(tab.evaluate(selected), len(shop()["entries"]))

    def test_a_slash_searches_and_escape_clears(self):
        tab = self.open(shop())
        tab.click("#tab-metrics")
        tab.press("/")
        self.assertEqual(tab.evaluate(focused), "search")
        self.assertEqual(tab.evaluate("byId('search').value"), "")
        for letter in "retry/?":
            tab.press(letter)
        self.assertEqual(tab.evaluate("byId('search').value"), "retry/?")
        tab.press("Escape")
        self.assertEqual(tab.evaluate("byId('search').value"), "")
        self.assertEqual(tab.text("#count"), f"{len(shop()['entries'])} actions")
        tab.press("Escape")
        self.assertEqual(tab.evaluate(focused), "list")

    def test_enter_in_the_search_selects_the_found_entry(self):
        tab = self.open(shop())
        tab.press("/")
        for letter in "found(":
            tab.press(letter)
        tab.press("Enter")
        self.assertEqual(tab.evaluate(focused), "list")
        self.assertEqual(tab.evaluate("page.entry.name"), "found")

    def test_a_question_mark_opens_the_help_and_escape_closes_it(self):
        tab = self.open(shop())
        tab.press("?")
        self.assertTrue(tab.evaluate("byId('help').open"))
        self.assertIn("Search", tab.text("#help"))
        tab.press("Escape")
        self.assertFalse(tab.evaluate("byId('help').open"))
        tab.click("#help-open")
        self.assertTrue(tab.evaluate("byId('help').open"))
        tab.click("#help .primary")
        self.assertFalse(tab.evaluate("byId('help').open"))

    def test_arrows_choose_a_view(self):
        tab = self.open(shop())
        tab.evaluate("byId('tab-actions').focus()")
        tab.press("ArrowRight")
        self.assertEqual(tab.evaluate(focused), "tab-stores")
        self.assertEqual(tab.evaluate("byId('tab-stores').getAttribute('aria-selected')"), "true")
        self.assertTrue(tab.evaluate("byId('view-actions').hidden"))

    def test_the_tab_key_reaches_every_part(self):
        tab = self.open(shop())
        reached = set()
        for _ in range(60):
            tab.press("Tab")
            reached.add(tab.evaluate(focused))
        for part in ("tab-actions", "theme", "slider", "search", "path", "store", "outcome", "grouped", "list", "state", "value", "entry"):
            self.assertIn(part, reached)
