# Read by the other scripts: what must be the same however a class was graded, marks and verdicts, not the times.
digest() { cut -d, -f1-5,8-12 "$1/grades.csv" | sha256sum; sha256sum <"$1/matrix.csv"; }
