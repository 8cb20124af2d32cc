"""The page is accessible with a screen reader, in both color schemes, and on a narrow screen."""

from cases import PageCase
from recordings import hostile, shop

interactive = {"button", "textbox", "searchbox", "checkbox", "combobox", "slider", "tab", "tree", "listbox", "link", "treeitem", "option"}

contrasts = """(() => {
  const drawing = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const channels = (color) => {
    drawing.clearRect(0, 0, 1, 1);
    drawing.fillStyle = color;
    drawing.fillRect(0, 0, 1, 1);
    return [...drawing.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
      if (color[3] !== 0) throw new Error("a background is partly transparent");
    }
    throw new Error("no ground");
  };
  const found = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const {parentElement: element, data} = walk.currentNode;
    if (!data.trim() || !element.checkVisibility({visibilityProperty: true}) || element.closest("script, style, option")) continue;
    const [ink, paper] = [luminance(channels(getComputedStyle(element).color)), luminance(ground(element))];
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    const name = `${element.localName}.${element.className} in ${element.parentElement.className}`;
    found[name] = Math.min(found[name] ?? 100, contrast);
  }
  return found;
})()"""

wide = """[...document.querySelectorAll("body *")]
  .filter((element) => element.checkVisibility() && !element.closest(".spoken"))
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 && !element.closest(".row"))
  .map((element) => `${element.localName}#${element.id}.${element.className}`)"""

cut = """[...document.querySelectorAll("button, label, h1, h2, h3, p, dt, dd, li, th, td, caption, select, input[type=search]")]
  .filter((element) => element.checkVisibility() && !element.closest(".row, .spoken") && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => getComputedStyle(element).display !== "inline")
  .map((element) => `${element.localName}#${element.id}.${element.className} ${element.textContent.slice(0, 40)}`)"""


class AccessTests(PageCase):
    views = ("actions", "stores", "tasks", "metrics")

    def show(self, tab, view):
        tab.click(f"#tab-{view}")
        if view in ("stores", "tasks"):
            tab.click(f"#{view} .row")
        if view == "actions":
            tab.evaluate("page.select(4)")

    def test_every_control_has_a_name(self):
        tab = self.open(shop())
        for view in self.views:
            self.show(tab, view)
            nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
            found = [node for node in nodes if not node["ignored"] and node["role"]["value"] in interactive]
            self.assertGreater(len(found), 10)
            nameless = [node["role"]["value"] for node in found if not node.get("name", {}).get("value", "").strip()]
            self.assertEqual(nameless, [], view)

    def test_lists_are_trees_with_levels_and_an_active_row(self):
        tab = self.open(shop())
        tab.evaluate("page.select(page.recording.parents.findIndex((parent) => parent >= 0))")
        nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
        trees = [node["name"]["value"] for node in nodes if node["role"]["value"] == "tree"]
        self.assertIn("Actions", trees)
        self.assertTrue(any(name.startswith("State after") for name in trees), trees)
        row = tab.evaluate("""(() => {
            const row = document.getElementById(byId("list").getAttribute("aria-activedescendant"));
            return [row.getAttribute("role"), row.getAttribute("aria-level"), row.getAttribute("aria-selected"),
                    Number(row.getAttribute("aria-posinset")) <= Number(row.getAttribute("aria-setsize"))];
        })()""")
        self.assertEqual(row, ["treeitem", "2", "true", True])

    def test_events_are_announced(self):
        recording = shop()
        tab = self.open(recording)
        self.assertEqual(tab.evaluate("byId('count').getAttribute('role')"), "status")
        self.assertEqual(tab.evaluate("byId('count').ariaLive"), "off")
        tab.type("#search", "add")
        self.assertEqual(tab.evaluate("byId('count').ariaLive"), "polite")
        self.assertEqual(tab.evaluate("byId('notice').getAttribute('role')"), "alert")
        tab.evaluate("page.show(3)")
        self.assertIn(f"3 of {len(recording['entries'])}, after", tab.evaluate("byId('slider').getAttribute('aria-valuetext')"))

    def test_headings_and_ids_are_in_order(self):
        tab = self.open(shop())
        self.assertEqual(tab.evaluate("document.querySelectorAll('h1').length"), 1)
        self.assertEqual(tab.evaluate("document.documentElement.lang"), "en")
        self.assertTrue(tab.evaluate("(ids => new Set(ids).size === ids.length)([...document.querySelectorAll('[id]')].map(found => found.id))"))
        references = tab.evaluate("""[...document.querySelectorAll("[aria-labelledby], [aria-controls], label[for]")].flatMap(found =>
            ["aria-labelledby", "aria-controls", "for"].map(name => found.getAttribute(name)).filter(id => id && !document.getElementById(id)))""")
        self.assertEqual(references, [])

    def test_texts_have_enough_contrast(self):
        tab = self.open(shop())
        for scheme in ("light", "dark"):
            tab.prefer(scheme)
            for view in self.views:
                self.show(tab, view)
                found = tab.evaluate(contrasts)
                self.assertGreater(len(found), 10)
                self.assertEqual({name: contrast for name, contrast in found.items() if contrast < 4.5}, {}, (scheme, view))

    def test_the_theme_is_changed_manually(self):
        tab = self.open(shop())
        tab.prefer("light")
        ground = "getComputedStyle(document.body).backgroundColor"
        system = tab.evaluate(ground)
        tab.click("#theme")
        self.assertEqual((tab.text("#theme"), tab.evaluate(ground)), ("Theme: light", system))
        tab.click("#theme")
        self.assertEqual(tab.text("#theme"), "Theme: dark")
        self.assertNotEqual(tab.evaluate(ground), system)
        tab.click("#theme")
        self.assertEqual(tab.text("#theme"), "Theme: system")


class NarrowTests(AccessTests):
    """The same tests at a width of 320 pixels, where nothing may overflow."""

    width, height = 320, 700

    def test_nothing_is_wider_than_the_window_or_cut_off(self):
        self.check(shop())

    def test_with_hostile_data_nothing_is_wider_than_the_window_or_cut_off(self):
        self.check(hostile())

    def check(self, recording):
        tab = self.open(recording)
        tab.evaluate("byId('live').hidden = false; byId('dispatch').hidden = false")
        for view in self.views:
            self.show(tab, view)
            self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 320, view)
            self.assertEqual(tab.evaluate(wide), [], view)
            self.assertEqual(tab.evaluate(cut), [], view)
        tab.click("#help-open")
        self.assertLessEqual(tab.evaluate("byId('help').getBoundingClientRect().right"), 320)
        self.assertEqual(tab.evaluate("byId('help').scrollWidth - byId('help').clientWidth"), 0)
