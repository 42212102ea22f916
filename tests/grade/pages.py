#!/usr/bin/env python3
"""pages.py FOLDER - the pages: well-formed, no script, nothing fetched, links that lead somewhere; and, where a headless
Chromium is here, no console message and no page wider than a phone."""
import glob
import html.parser
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

VOID = {"meta", "link", "br", "img"}
PHONE = 360
PROBE = """<!doctype html><link rel="icon" href="data:,"><body><pre id="found"></pre><script>
const pages = %s, found = [];
function next() {
  if (found.length == pages.length) { document.getElementById("found").textContent = found.join("\\n"); return; }
  const frame = document.createElement("iframe");
  frame.style = "width:%dpx;height:700px;border:0";
  frame.src = pages[found.length];
  frame.onload = () => {
    const d = frame.contentDocument;
    found.push(d.documentElement.scrollWidth + " " + parseInt(getComputedStyle(d.body).fontSize));
    frame.remove();
    next();
  };
  document.body.appendChild(frame);
}
next();
</script>"""


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.links = path, [], []

    def fail(self, text):
        sys.exit(f"{self.path}:{self.getpos()[0]}: {text}")

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "iframe", "object", "form", "img"):
            self.fail(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in ("src",):
                self.fail(f"{name}={value}")
            if name == "href":
                self.links.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if tag == "li" or self.open[-1:] == [tag]:
            while self.open and self.open.pop() != tag:
                pass
        else:
            self.fail(f"</{tag}> closes <{self.open[-1] if self.open else '-'}>")


def show(browser, pages):
    """In frames as wide as a phone, one after the other; the pages have no script, the one around them measures."""
    with tempfile.TemporaryDirectory() as scratch:
        probe = os.path.join(scratch, "probe.html")
        with open(probe, "w", encoding="utf-8") as f:
            f.write(PROBE % (json.dumps(["file://" + os.path.realpath(p) for p in pages]), PHONE))
        r = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                            "--disable-web-security", f"--user-data-dir={scratch}/profile", "--enable-logging=stderr",
                            "--virtual-time-budget=30000", "--dump-dom", "file://" + probe],
                           capture_output=True, text=True, timeout=120)
    if "CONSOLE" in r.stderr:
        sys.exit("\n".join(line for line in r.stderr.splitlines() if "CONSOLE" in line))
    shown = r.stdout.partition('<pre id="found">')[2].partition("</pre>")[0].split("\n")
    if len(shown) != len(pages):
        sys.exit(f"the browser showed {len(shown)} of {len(pages)} pages")
    for path, row in zip(pages, shown):
        width, font = map(int, row.split())
        if width > PHONE or font < 14:
            sys.exit(f"{path}: {width} pixels wide, text of {font}")


def main():
    pages = sorted(glob.glob(os.path.join(sys.argv[1], "*.html")))
    assert os.path.join(sys.argv[1], "index.html") in pages and len(pages) > 1
    for path in pages:
        p = Page(path)
        with open(path, encoding="utf-8") as f:
            p.feed(f.read())
        p.close()
        if p.open:
            p.fail(f"not closed: {p.open}")
        for link in p.links:
            if link not in ("data:,",) and not os.path.exists(os.path.join(sys.argv[1], urllib.parse.unquote(link))):
                p.fail(f"a link to {link}")
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        print("left out: no Chromium")
        return
    show(browser, [os.path.join(sys.argv[1], "index.html")] + [p for p in pages if not p.endswith("/index.html")][:100])
    print(len(pages), "pages")


if __name__ == "__main__":
    main()
