#!/bin/bash
# The instructor's hands: folders as course systems give them, and what one does wrong. Usage: hands.sh PROGRAM [SANDBOX]
# Needs python3 (to make archives).
set -u
program=$(realpath "${1:-build/warplings}")
sandbox=${2:-bwrap}
root=$(pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/warplings-hands-test-XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
ok() { passed=$((passed + 1)); }
bad() {
  failed=$((failed + 1))
  echo "FAIL  $1"
  tail -n 8 "$work/out" | sed 's/^/      | /'
}
printf 'secret of the tests only\nhidden 1\npuzzle 01\npuzzle 02\n' >"$work/course"
right=$root/solutions/01_lost_update.cu
wrong=$root/puzzles/01_lost_update/skeleton.cu
right2=$root/solutions/02_read_before_write.cu
# grade RESULTS CLASS OPTIONS...
grade() {
  local results=$1 class=$2
  shift 2
  "$program" grade "$work/$class" --out "$work/$results" --course "$work/course" --sandbox $sandbox "$@" >"$work/out" 2>&1
}
says() { if grep -qF -- "$1" "$work/out"; then ok; else bad "not said: $1"; fi; }
# marks RESULTS: "student=01/02 ..." in order of the names, - for nothing handed in
marks() {
  python3 - "$work/$1/grades.csv" <<'PY'
import csv, sys
by = {}
for r in csv.DictReader(open(sys.argv[1], newline=""), strict=True):
    by.setdefault(r["student_id"], []).append("-" if r["reason"].startswith(("no file", "none of", "this ", "it is", "nothing")) else r["verdict"])
print(" ".join(f"{s}={'/'.join(v)}" for s, v in sorted(by.items())))
PY
}
expect() { if [ "$(marks "$1")" = "$2" ]; then ok; else bad "$1: $(marks "$1")"; fi; }

# ---- the wrong folder ----
mkdir -p "$work/one" "$work/project/01_lost_update" "$work/empty" "$work/full"
cp "$right" "$work/one/"
grade x one && bad "one submission is graded as a class"
says 'this looks like one submission, not like a class: it holds 01_lost_update.cu'
cp "$right" "$work/project/01_lost_update/puzzle.cu"
grade x project && bad "one submission in folders is graded as a class"
says 'name the folder above it'
grade x empty && bad "an empty folder is a class"
says 'there is no submission in this folder'
grade x nosuch && bad "a folder that is not there"
says 'cannot open this folder of submissions'
mkdir "$work/class" && mkdir "$work/class/ann" && cp "$right" "$work/class/ann/"
grade class/results class && bad "results among the submissions"
says "the results' folder lies in the folder of submissions"
[ -e "$work/class/results" ] && bad "results' folder was made among the submissions" || ok
echo mine >"$work/full/grades.csv"
grade full class && bad "results over somebody's files"
says 'this folder holds other things (grades.csv)'
[ "$(cat "$work/full/grades.csv")" = mine ] && ok || bad "somebody's grades.csv is gone"
grade r class || bad "an ordinary class ends with $?"
grade x r && bad "results are graded"
says 'this is a folder of results, not of submissions'
grade r class || bad "a second run ends with $?"
says '0 files judged'

# ---- archives as people make them ----
mkdir "$work/packed"
python3 - "$work/packed" "$right" "$right2" <<'PY'
import io, sys, tarfile, zipfile
out, right, right2 = sys.argv[1], open(sys.argv[2]).read(), open(sys.argv[3]).read()
def zip_of(name, entries):
    with zipfile.ZipFile(f"{out}/{name}.zip", "w") as z:
        for n, text in entries:
            i = zipfile.ZipInfo("x")
            i.filename = n # as it stands: zipfile would turn backslashes round
            z.writestr(i, text)
zip_of("backslash", [("hw\\01_lost_update\\puzzle.cu", right), ("hw\\02_read_before_write.cu", right2)])
zip_of("climbs", [("hw\\..\\..\\01_lost_update.cu", right), ("C:\\02_read_before_write.cu", right2)])
zip_of("mac", [("hw/01_lost_update.cu", right), ("__MACOSX/hw/._01_lost_update.cu", "x"), ("hw/.DS_Store", "x"),
               ("__MACOSX/02_read_before_write.cu", "x")])
zip_of("nested", [("hand-in/week 3/01_lost_update/puzzle.cu", right)])
zip_of("letters", [("01_Lost_Update/Puzzle.cu", right), ("02_READ_BEFORE_WRITE.CU", right2)])
zip_of("again", [("01_lost_update (1).cu", right), ("02_read_before_write-2.cu", right2)])
zip_of("both", [("01_LOST_UPDATE.cu", "#error old"), ("01_lost_update (1).cu", "#error older"), ("01_lost_update.cu", right)])
zip_of("misnamed", [("lab1.cu", right), ("notes.txt", "x")])
zip_of("inside", [("work.zip", "PK")])
open(f"{out}/cut.zip", "wb").write(open(f"{out}/mac.zip", "rb").read()[:60])
open(f"{out}/packed.rar", "w").write("Rar!")
open(f"{out}/marks.csv", "w").write("not a submission")
with tarfile.open(f"{out}/bom.tar.gz", "w:gz") as t:
    for n, b in (("01_lost_update.cu", b"\xef\xbb\xbf" + right.replace("\n", "\r\n").encode()),
                 ("02_read_before_write.cu", right2.encode("utf-16"))):
        i = tarfile.TarInfo(n)
        i.size = len(b)
        t.addfile(i, io.BytesIO(b))
PY
grade p packed || bad "archives: $?"
says 'Look at these:'
says 'packed.rar: this kind of archive is not opened'
expect p "again=PASS/PASS backslash=PASS/PASS bom=PASS/COMPILE both=PASS/- climbs=-/- cut=-/- inside=-/- letters=PASS/PASS mac=PASS/- misnamed=-/- nested=PASS/- packed.rar=-/-"
cp "$work/p/grades.csv" "$work/out"
says "none of its 2 files has a puzzle's name (NN_name.cu or NN_name/puzzle.cu): lab1.cu, notes.txt"
says 'this archive cannot be opened'
says 'this kind of archive is not opened: hand in a .zip or .tar.gz'

# ---- twice the same student ----
mkdir -p "$work/twice/ann" "$work/twice/Ben" "$work/twice/ben" && cp "$wrong" "$work/twice/ann/01_lost_update.cu"
touch -d 2026-01-01 "$work/twice/ann"
cp "$right" "$work/twice/Ben/" && cp "$wrong" "$work/twice/ben/01_lost_update.cu"
(cd "$work" && python3 -c "import zipfile, sys; zipfile.ZipFile('twice/ann.zip', 'w').write(sys.argv[1], '01_lost_update.cu')" "$right")
grade w twice || bad "twice: $?"
expect w "Ben=PASS/- ann=PASS/- ben=RACE/-"
"$program" grade "$work/twice" --out "$work/w2" --course "$work/course" --sandbox $sandbox >"$work/out" 2>&1
says "note: several entries of one student, told apart by their files' times: ann; name them like alice@2026"
says 'note: differ only in the case of letters, and count as two students: ben'

# ---- Moodle: folders, two of the same name; the roster knows their numbers or names ----
moodle=$work/moodle
mkdir -p "$moodle/Jane Doe_101_assignsubmission_file_" "$moodle/Jane Doe_102_assignsubmission_file_" \
  "$moodle/Max Muster_103_assignsubmission_file_" "$moodle/Max Muster_103_assignsubmission_onlinetext_"
cp "$right" "$moodle/Jane Doe_101_assignsubmission_file_/"
cp "$wrong" "$moodle/Jane Doe_102_assignsubmission_file_/01_lost_update.cu"
cp "$right" "$moodle/Max Muster_103_assignsubmission_file_/"
grade m moodle || bad "Moodle: $?"
expect m "Jane Doe_101=PASS/- Jane Doe_102=RACE/- Max Muster_103=PASS/-"
printf 'student_id,last_name,first_name\n101,Doe,Jane\n102,Doe,Jane\nmmuster,Muster,Max\nnobody,Body,No\n' >"$work/roster.csv"
echo 'roster roster.csv' | cat - "$work/course" >"$work/course_roster"
"$program" grade "$moodle" --out "$work/m2" --course "$work/course_roster" --sandbox $sandbox >"$work/out" 2>&1 || bad "Moodle with a roster: $?"
expect m2 "101=PASS/- 102=RACE/- mmuster=PASS/- nobody=-/-"
mkdir "$moodle/stranger" && cp "$right" "$moodle/stranger/"
"$program" grade "$moodle" --out "$work/m2" --course "$work/course_roster" --sandbox $sandbox >"$work/out" 2>&1 || bad "with a stranger: $?"
says 'note: not in the roster, graded all the same: stranger'

# ---- Canvas: files side by side, an archive, a late one ----
canvas=$work/canvas
mkdir "$canvas"
cp "$right" "$canvas/doejane_11_901_01_lost_update.cu"
cp "$right2" "$canvas/doejane_11_902_02_read_before_write-1.cu"
cp "$right" "$canvas/mustermax_LATE_12_903_01_lost_update.cu"
cp "$right2" "$canvas/mustermax_LATE_12_903_02_read_before_write.cu"
(cd "$work" && python3 -c "import zipfile, sys; zipfile.ZipFile('canvas/roejim_13_904_hw.zip', 'w').write(sys.argv[1], '01_lost_update.cu')" "$right")
sed 's/puzzle 01/attempts best\npuzzle 01/' "$work/course" >"$work/course_best"
"$program" grade "$canvas" --out "$work/c" --course "$work/course_best" --sandbox $sandbox >"$work/out" 2>&1 || bad "Canvas: $?"
expect c "doejane_11=PASS/PASS mustermax_12=PASS/PASS roejim_13=PASS/-"

# ---- Blackboard ----
mkdir "$work/bb"
for when in 2026-11-01-10-00-00 2026-11-02-10-00-00; do
  (cd "$work" && python3 -c "import zipfile, sys; zipfile.ZipFile(sys.argv[1], 'w').write(sys.argv[2], '01_lost_update.cu')" \
    "bb/Sheet_jdoe_attempt_${when}_hw.zip" "$([ $when = 2026-11-02-10-00-00 ] && echo "$right" || echo "$wrong")")
done
grade b bb || bad "Blackboard: $?"
expect b "jdoe=PASS/-"

# ---- Ctrl-C, and on ----
for i in 1 2 3 4 5 6 7 8; do mkdir -p "$work/many/s$i"; (cat "$right"; echo "// $i") >"$work/many/s$i/01_lost_update.cu"; (cat "$right2"; echo "// $i") >"$work/many/s$i/02_read_before_write.cu"; done
for signal in INT TERM; do
  rm -rf "$work/i"
  # An interactive shell's child has SIGINT's usual action; one in the background of a script ignores it.
  python3 -c "import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])" \
    "$program" grade "$work/many" --out "$work/i" --course "$work/course" --sandbox $sandbox --jobs 1 >"$work/out" 2>&1 &
  pid=$!
  for _ in $(seq 600); do ls "$work"/i/records/*/01* >/dev/null 2>&1 && break; sleep 0.05; done
  kill -$signal $pid
  wait $pid
  [ $? = 2 ] && ok || bad "ended by $signal: the status"
  says 'stopped; what was graded so far is kept'
  says 'run the same command again: it goes on from here'
done
grade i many || bad "going on ends with $?"
grep -qE ', [1-9][0-9]* kept from before' "$work/out" && ok || bad "nothing was kept"
expect i "s1=PASS/PASS s2=PASS/PASS s3=PASS/PASS s4=PASS/PASS s5=PASS/PASS s6=PASS/PASS s7=PASS/PASS s8=PASS/PASS"

echo "hands: $passed passed, $failed failed"
[ $failed = 0 ]
