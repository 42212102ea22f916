#!/usr/bin/env python3
"""narrow.py CHROMIUM FOLDER SCRATCH - are the pages in FOLDER readable on a telephone? Shows each in a window 360 pixels
wide and fails for one that is wider (tables and code may scroll in their own boxes) or whose text is small."""
import glob
import json
import os
import re
import subprocess
import sys

WIDTH = 360
PAGE = """<!doctype html><body><pre id=o></pre><script>
const pages = %s, found = [];
function next() {
  if (found.length == pages.length) { document.getElementById("o").textContent = found.join("\\n"); return; }
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


def main():
    chromium, folder, scratch = sys.argv[1:]
    pages = sorted(os.path.realpath(p) for p in glob.glob(f"{folder}/*.html"))
    index = os.path.realpath(f"{folder}/index.html")
    pages = [index] + [p for p in pages if p != index][:100]
    with open(f"{scratch}/narrow.html", "w") as f:
        f.write(PAGE % (json.dumps(["file://" + p for p in pages]), WIDTH))
    dom = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--disable-web-security",
         f"--user-data-dir={scratch}/chromium", "--virtual-time-budget=30000", "--dump-dom", f"file://{scratch}/narrow.html"],
        capture_output=True, text=True, timeout=120).stdout
    shown = re.search(r'<pre id="o">([^<]*)</pre>', dom)
    rows = shown.group(1).split("\n") if shown else []
    if len(rows) != len(pages):
        sys.exit(f"the browser showed {len(rows)} of {len(pages)} pages")
    bad = 0
    for page, row in zip(pages, rows):
        width, font = map(int, row.split())
        if width > WIDTH or font < 14:
            print(f"{page}: {width} pixels wide, text of {font}")
            bad += 1
    sys.exit(1 if bad else 0)


main()
