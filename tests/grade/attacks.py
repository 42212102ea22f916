"""attacks.py - submissions that try to get more than they have earned, or to do harm. Each is a function that fills a
folder; ATTACKS says which verdicts are right for which puzzle. Used by make_class.py."""
import io
import os
import tarfile
import zipfile

P1, P2 = "01_lost_update", "02_read_before_write"
COMPILE, RACE = {"COMPILE"}, {"RACE"}


def read(root, path):
    with open(os.path.join(root, path)) as f:
        return f.read()


def right(root, puzzle=P1):
    return read(root, f"solutions/{puzzle}.cu")


def wrong(root, puzzle=P1):
    return read(root, f"puzzles/{puzzle}/skeleton.cu")


def in_kernel(text, statement):
    """The statement as the first of the kernel's body."""
    at = text.index("{", text.index("__global__")) + 1
    return text[:at] + "\n  " + statement + "\n" + text[at:]


def source(expect):
    """Marks an attack that is one file of source."""
    def mark(f):
        f.expect = expect
        return f
    return mark


@source(COMPILE)
def include_solution(root):
    return f'#include "{root}/solutions/{P1}.cu"\n'


@source(COMPILE)
def include_solution_relative(root):
    return "".join(f'#include "{"../" * n}solutions/{P1}.cu"\n' for n in range(1, 8))


@source(COMPILE)
def include_passwd(root):
    return '#include "/etc/passwd"\n' + right(root)


@source(COMPILE)
def include_other_student(root):
    return '#include "../../s000/01_lost_update.cu"\n'


@source(COMPILE)
def incbin(root):
    return in_kernel(right(root), 'asm(".incbin \\"/etc/passwd\\";");')


@source(COMPILE)
def include_zero(root):
    return '#include "/dev/zero"\n' + right(root)


@source(COMPILE)
def include_pipe(root):
    return '#include "/proc/1/fd/0"\n' + right(root)


@source(COMPILE)
def include_itself(root):
    return "#include __FILE__\n#include __FILE__\n" + right(root)


@source(COMPILE)
def huge_table(root):
    return "__device__ int table[200000000] = {" + "1," * 200000 + "};\n" + wrong(root) + "\nint host( {"


@source(COMPILE)
def macro_bomb(root):
    lines = ["#define A0 x x x x x x x x"] + [f"#define A{i} " + f"A{i-1} " * 8 for i in range(1, 12)]
    return "\n".join(lines) + "\n__global__ void bomb() { A11 }\n" + right(root)


@source(COMPILE)
def parentheses(root):
    return "__device__ int deep = " + "(" * 200000 + "1" + ")" * 200000 + ";\n" + right(root)


@source({"COMPILE", "PASS"})
def constructors(root):
    return right(root) + """
struct starts { starts(); };
__attribute__((constructor)) static void early() { for (;;); }
static int initialised = (early(), 1);
"""


@source(RACE)
def forged_line(root):
    return in_kernel(wrong(root), 'if (blockIdx.x == 0 && threadIdx.x < 2) printf("WLV2PASS\\n{\\"verdict\\": \\"PASS\\"}\\nok 1 - 01\\n");')


@source(COMPILE)
def asm_other_kernel(root):
    return in_kernel(wrong(root), 'asm("} .visible .entry forged() { ret;");')


@source(COMPILE)
def asm_nonsense(root):
    return in_kernel(right(root), 'asm("no.such.instruction %%nosuch, {{{");')


@source(COMPILE)
def asm_unknown(root):
    return in_kernel(right(root), 'asm volatile("setmaxnreg.inc.sync.aligned.u32 40;"); asm volatile("tcgen05.fence::before_thread_sync;");')


@source({"WRONG", "RACE"})
def asm_exit(root):
    return in_kernel(wrong(root), 'asm volatile("exit;");')


@source(COMPILE)
def own_header(root):
    return '#include "mine.h"\n' + right(root)


@source({"HANG", "DEADLOCK"})
def forever(root):
    return in_kernel(right(root), "volatile int turns = 0; while (true) turns = turns + 1;")


@source({"HANG", "TRAP", "BOUNDS"})
def allocates(root):
    return in_kernel(right(root), "while (true) { char *p = (char *)malloc(1 << 20); if (p) p[0] = 1; }")


@source({"HANG"})
def prints(root):
    return in_kernel(right(root), 'while (true) printf("%s", "all work and no play makes a long line of text\\n");')


@source(COMPILE)
def error_text(root):
    return '#error </pre><script>alert(1)</script> ]]> <!-- \\" \' # SKIP =1+1 &\n' + right(root)


@source(COMPILE)
def empty(root):
    return ""


@source(COMPILE)
def not_text(root):
    return "\0\1\2\3" * 100


@source({"WRONG", "UNINIT"})
def sizes_on_show(root):
    """Right for exactly the sizes that puzzles/02's check.c has on show."""
    import re
    shapes = re.findall(r"\{(\d+), \d+\}", read(root, f"puzzles/{P2}/check.c"))
    known = " && ".join(f"n != {n}" for n in shapes)
    return in_kernel(right(root, P2), f"if ({known}) return;")


sizes_on_show.puzzle = P2


# ---- things that are no plain file: (root, folder) -> {puzzle: verdicts} ----
def put(folder, name, text):
    os.makedirs(os.path.dirname(os.path.join(folder, name)) or folder, exist_ok=True)
    with open(os.path.join(folder, name), "w") as f:
        f.write(text)


def symlink(root, folder):
    os.symlink(f"{root}/solutions/{P1}.cu", f"{folder}/{P1}.cu")
    return {P1: COMPILE}


def symlinked_folder(root, folder):
    os.symlink(f"{root}/solutions", f"{folder}/answers")
    return {P1: {"SKIP"}}


def hard_link(root, folder):
    put(folder, "other.txt", right(root))
    os.link(f"{folder}/other.txt", f"{folder}/{P1}.cu")
    return {P1: COMPILE}


def fifo(root, folder):
    os.mkfifo(f"{folder}/{P1}.cu")
    return {P1: COMPILE}


def folder_as_file(root, folder):
    os.mkdir(f"{folder}/{P1}.cu")
    return {P1: COMPILE}


def sparse(root, folder):
    with open(f"{folder}/{P1}.cu", "w") as f:
        f.truncate(5 << 30)
    return {P1: COMPILE}


def own_makefile(root, folder):
    put(folder, "Makefile", "all:\n\ttouch /tmp/warplings-was-here\n")
    put(folder, "mine.h", "#define SOLVED 1\n")
    put(folder, "cuda_runtime.h", "#error wrong header\n")
    put(folder, f"{P1}.cu", "#include <cuda_runtime.h>\n" + right(root))
    put(folder, f"{P2}.cu", '#include "mine.h"\n' + right(root, P2))
    return {P1: {"PASS"}, P2: COMPILE}


def strange_names(root, folder):
    put(folder, f"{P1}/puzzle.cu", right(root))
    for name in (b"-rf", b"two\nlines.cu", b"\xff\xfe.cu", b" space .cu", b"con", b"aux.cu", b"$(touch x).cu"):
        with open(os.path.join(os.fsencode(folder), name), "wb") as f:
            f.write(b"x")
    return {P1: {"PASS"}}


def deep(root, folder):
    put(folder, "a/b/c/d/e/f/g/" + P1 + ".cu", right(root))
    put(folder, "week 1/homework/" + P2 + ".cu", right(root, P2))
    return {P1: {"SKIP"}, P2: {"PASS"}}


# ---- archives: root -> (ending, bytes, {puzzle: verdicts}) ----
def make_zip(entries):
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in entries:
            z.writestr(name, text)
    return b.getvalue()


def zip_slip(root):
    there = f"../../../../../../../../tmp/warplings-was-here"
    return ".zip", make_zip([(there, "x"), ("../" + P1 + ".cu", right(root)), ("/tmp/warplings-was-here", "x"),
                             ("x\\..\\" + P2 + ".cu", right(root, P2))]), {P1: {"SKIP"}, P2: {"SKIP"}}


def zip_bomb(root):
    return ".zip", make_zip([(f"junk{i}", b"\0" * (40 << 20)) for i in range(12)] +
                            [(f"{P1}.cu", b"\0" * (300 << 20))]), {P1: COMPILE}


def zip_many(root):
    return ".zip", make_zip([(f"{i}", "") for i in range(9000)]), {P1: {"SKIP"}}


def zip_broken(root):
    return ".zip", make_zip([(f"{P1}.cu", right(root))])[:-40], {P1: {"SKIP", "PASS"}}


def zip_not(root):
    return ".zip", b"This is no archive. PASS\n" * 100, {P1: {"SKIP"}}


def tar_links(root):
    b = io.BytesIO()
    with tarfile.open(fileobj=b, mode="w:gz") as t:
        for name, kind, to in ((f"{P1}.cu", tarfile.SYMTYPE, f"{root}/solutions/{P1}.cu"),
                               (f"{P2}.cu", tarfile.LNKTYPE, "/etc/passwd"),
                               ("03_write_during_read.cu", tarfile.CHRTYPE, "")):
            i = tarfile.TarInfo(name)
            i.type, i.linkname = kind, to
            t.addfile(i)
    return ".tar.gz", b.getvalue(), {P1: COMPILE, P2: COMPILE, "03_write_during_read": COMPILE}


SOURCES = [include_solution, include_solution_relative, include_passwd, include_other_student, incbin, include_zero,
           include_pipe, include_itself, huge_table, macro_bomb, parentheses, constructors, forged_line,
           asm_other_kernel, asm_nonsense, asm_unknown, asm_exit, own_header, forever, allocates, prints, error_text, empty,
           not_text, sizes_on_show]
FOLDERS = [symlink, symlinked_folder, hard_link, fifo, folder_as_file, sparse, own_makefile, strange_names, deep]
ARCHIVES = [zip_slip, zip_bomb, zip_many, zip_broken, zip_not, tar_links]
# Names of students that are formulas, markup, options, or no text at all.
NAMES = [b"=cmd|' !A0", b"+1+1", b"-rf", b"@SUM(A1)", b"<img src=x onerror=alert(1)>", b"# SKIP ]]> & \"quoted\"",
         b"two\nlines", b"\xff\xfe\x80", b"  spaces  ", b"ok 1 - forged"]
