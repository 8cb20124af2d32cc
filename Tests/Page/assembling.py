"""The page assembled from its files, by the same rule as in the Swift generator."""

import base64
import hashlib
import json
import os
import re

web = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Sources", "ArborDevTools", "Page", "Web")


def read(name):
    with open(os.path.join(web, name), encoding="utf-8", newline="") as file:
        return file.read()


def template():
    """The parts of the page: before the live path, between the live path and the data, and after the data."""
    page = read("index.html")
    for kind, tag in (("style", "style"), ("script", "script")):
        names = re.search(rf"<!-- {kind}: (.*) -->", page)
        content = "\n" + "".join(read(name) for name in names[1].split(" "))
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        page = page.replace(names[0], f"<{tag}>{content}</{tag}>").replace(f"{{{kind}-hash}}", f"sha256-{digest}")
    before, rest = page.split("<!-- live -->")
    middle, after = rest.split("<!-- recording -->")
    return before, middle, after


def assembled(recording, live=None):
    """The page of a recording, which is given as JSON text or as a value to encode."""
    text = recording if isinstance(recording, str) else json.dumps(recording)
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    before, middle, after = template()
    meta = "" if live is None else f'<meta name="arbor-live" content="{live}">'
    return before + meta + middle + text + after
