#!/usr/bin/env python3
"""pages.py FOLDER - the pages: well-formed, no script, nothing fetched, links that lead somewhere; and, where a headless
Chromium is here, no console message and no page wider than a phone."""
import glob
import html.parser
import os
import shutil
import subprocess
import sys
import urllib.parse

VOID = {"meta", "link", "br", "img"}


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
    for path in pages[:2] + [os.path.join(sys.argv[1], "index.html")]:
        probe = path + ".probe.html"
        with open(path, encoding="utf-8") as f:
            text = f.read()
        # The page itself has no script; the probe's copy measures it.
        with open(probe, "w", encoding="utf-8") as f:
            f.write(text.replace("</body>", "<script>document.title='WIDTH '+document.documentElement.scrollWidth+"
                                            "' OF '+document.documentElement.clientWidth</script></body>"))
        r = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=390,800", "--enable-logging=stderr",
                            "--dump-dom", "file://" + os.path.abspath(probe)], capture_output=True, text=True, timeout=120)
        os.unlink(probe)
        if "CONSOLE" in r.stderr:
            sys.exit(f"{path}: " + "\n".join(l for l in r.stderr.splitlines() if "CONSOLE" in l))
        title = r.stdout.split("<title>")[1].split("</title>")[0]
        _, width, _, window = title.split()
        if int(width) > int(window):
            sys.exit(f"{path}: {title}")
    print(len(pages), "pages")


if __name__ == "__main__":
    main()
