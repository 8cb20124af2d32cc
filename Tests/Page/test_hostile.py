"""Malicious data is shown, and has no effect."""

from cases import PageCase
from recordings import hostile, hostile_text


class HostileTests(PageCase):
    def setUp(self):
        self.tab = self.open(hostile())

    def test_hostile_data_runs_no_code_sends_no_request_and_changes_no_prototype(self):
        tab = self.tab
        for position in range(9):
            tab.evaluate(f"page.show({position})")
            tab.settle()
        for view in ("stores", "tasks", "metrics", "actions"):
            tab.click(f"#tab-{view}")
            if view in ("stores", "tasks"):
                for row in range(len(self.rows(tab, f"#{view}"))):
                    tab.click(f"#{view} .row:nth-child({row + 1})")
        for query in ("<script>", "__proto__", "constructor", "</script>"):
            tab.type("#search", query)
            tab.type("#path", query)
        self.assertIsNone(tab.evaluate("window.attacked ?? null"))
        self.assertEqual(tab.evaluate("[({}).polluted ?? null, Object.prototype.hasOwnProperty('polluted'), [].polluted ?? null]"),
                         [None, False, None])
        self.assertEqual(tab.evaluate("document.querySelectorAll('img, iframe, object, embed, a, body style').length"), 0)
        self.assertEqual(tab.evaluate("document.scripts.length"), 2)
        self.assertEqual([address[:5] for address in tab.requests() if not address.startswith("data:")], ["file:"])

    def test_hostile_data_is_shown_unchanged(self):
        tab = self.tab
        tab.evaluate("page.select(0)")
        tab.settle()
        self.assertEqual(tab.text("#title"), hostile_text)
        self.assertIn(hostile_text, "".join(self.rows(tab)))
        state = "".join(self.rows(tab, "#state"))
        for text in (hostile_text + "!", "a\\u2028b\\u2029c\\nd", "abc\\u202edef", "a\\u0000b", "a\\ud800b\\udc00c",
                     "__proto__: {polluted: true}", "constructor: {prototype: {polluted: true}}", "$arbor: \"own\"", "omitted: </script>",
                     "secret: redacted", "hasOwnProperty: 1"):
            self.assertIn(text, state)

    def test_a_prototype_key_is_an_ordinary_key(self):
        tab = self.tab
        tab.evaluate("page.show(2)")
        self.assertEqual(tab.evaluate("valueAt(page.recording.states.at(2), ['1', '__proto__', 'polluted'])"), "yes")
        self.assertEqual(tab.evaluate("valueAt(page.recording.states.at(3), ['1', '__proto__', 'polluted'])"), 2)
        self.assertEqual(tab.evaluate("Object.getPrototypeOf(page.recording.states.at(3)['1']) === Object.prototype"), True)

    def test_a_thousand_levels_can_be_expanded_and_navigated(self):
        tab = self.tab
        tab.evaluate("page.reveal(['1', 'deep'])")
        tab.press("*")
        # The deepest value is 1,000 levels down; the state and its key are two more levels.
        deepest = "Math.max(...Array.from({length: page.tree.count}, (_, row) => page.tree.level(row)))"
        self.assertEqual(tab.evaluate(deepest), 1002)
        for _ in range(4):
            tab.press("End")
        tab.evaluate("page.tree.reveal(['1', 'deep', ...Array.from({length: 1000}, (_, level) => level % 2 ? 0 : 'down')])")
        self.assertIn("the deepest", tab.text("#value"))
        self.assertLessEqual(len(self.rows(tab, "#state")), 200)

    def test_long_strings_and_lists_are_shortened(self):
        tab = self.tab
        tab.evaluate("page.reveal(['1', 'long'])")
        self.assertIn("string of 1,000,000 units", tab.text("#value"))
        self.assertLess(tab.evaluate("document.documentElement.outerHTML.length"), 400_000)
        tab.click("#value > button")
        self.assertEqual(tab.evaluate("document.querySelector('#value pre').textContent.length"), 32_001)
        tab.evaluate("page.reveal(['1', 'wide', 0])")
        self.assertLess(tab.evaluate("page.tree.count"), 300)
        tab.evaluate("page.tree.toggle(Array.from({length: page.tree.count}, (_, row) => row).find(row => page.tree.row(row).marks === 'more'), true)")
        self.assertGreater(tab.evaluate("page.tree.count"), 400)

    def test_invalid_entries_are_skipped(self):
        tab = self.tab
        self.assertEqual(tab.text("#count"), "8 actions")
        self.assertEqual(tab.evaluate("valueAt(page.recording.states.at(4), ['1', 'wide', 7])"), hostile_text)
        self.assertEqual(tab.evaluate("Object.hasOwn(page.recording.states.at(4)['1'], 'none')"), False)
        self.assertEqual(tab.evaluate("page.recording.parents[7]"), -1)


class PolicyTests(PageCase):
    """The page's security policy applies even if part of a recording is taken for markup. The browser reports each refusal."""

    expects_complaints = True

    def test_foreign_scripts_styles_and_requests_are_refused(self):
        tab = self.open(hostile())
        tab.evaluate("""{
            const script = document.createElement("script");
            script.textContent = "window.attacked = 3";
            const image = document.createElement("img");
            image.setAttribute("onerror", "window.attacked = 4");
            image.src = "https://attacker.invalid/";
            const style = document.createElement("style");
            style.textContent = "body { visibility: hidden }";
            document.body.append(script, image, style);
            setTimeout("window.attacked = 6");
        }""")
        tab.evaluate("fetch('https://attacker.invalid/').then(() => window.attacked = 5, () => window.refused = true)")
        tab.wait_for("window.refused === true", "a request was sent")
        self.assertIsNone(tab.evaluate("window.attacked ?? null"))
        self.assertEqual(tab.evaluate("getComputedStyle(document.body).visibility"), "visible")
        self.assertGreaterEqual(sum("Content Security Policy" in complaint for complaint in tab.complaints()), 5)
