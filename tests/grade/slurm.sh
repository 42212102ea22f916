#!/bin/bash
# The same class through a Slurm of one node, started here on loopback: munge, slurmctld, slurmd. Ends what it starts.
# Usage: slurm.sh PROGRAM WORK CLASS RESULTS_TO_COMPARE_WITH [PER_TASK]; needs root and Debian's slurm packages.
set -u
program=$1
work=$2
class=$3
reference=$4
for p in munged slurmctld slurmd sbatch; do
  command -v $p >/dev/null || PATH=$PATH:/usr/sbin
  command -v $p >/dev/null || { echo "left out: Slurm ($p is not installed)"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "left out: Slurm (needs root)"; exit 0; }
s=$work/slurm
host=$(hostname -s)
mkdir -p "$s/munge" "$s/state" "$s/spool"
chmod 755 "$s" "$s/munge"
pids=()
stop() {
  scancel -u root 2>/dev/null
  for p in "${pids[@]}"; do kill "$p" 2>/dev/null; done
  for p in "${pids[@]}"; do wait "$p" 2>/dev/null; done
}
trap stop EXIT

head -c 1024 /dev/urandom >"$s/munge/key"
chmod 600 "$s/munge/key"
munged --foreground --force --key-file "$s/munge/key" --socket "$s/munge/socket" --pid-file "$s/munge/pid" \
  --log-file "$s/munge/log" --seed-file "$s/munge/seed" >"$s/munge.out" 2>&1 &
pids+=($!)
cat >"$s/slurm.conf" <<CONF
ClusterName=warplings
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=27817
SlurmdPort=27818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$s/munge/socket
CredType=cred/munge
StateSaveLocation=$s/state
SlurmdSpoolDir=$s/spool
SlurmctldPidFile=$s/ctld.pid
SlurmdPidFile=$s/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$s/slurm.conf
for _ in $(seq 50); do [ -S "$s/munge/socket" ] && break; sleep 0.1; done
slurmctld -D -f "$SLURM_CONF" >"$s/ctld.log" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$s/slurmd.log" 2>&1 &
pids+=($!)
for _ in $(seq 150); do sinfo -h -o %T 2>/dev/null | grep -qE 'idle|mixed' && break; sleep 0.2; done
if ! sinfo -h -o %T 2>/dev/null | grep -qE 'idle|mixed'; then
  echo "FAIL  Slurm does not start here"
  tail -n 5 "$s/ctld.log" "$s/slurmd.log"
  exit 1
fi
"$program" grade "$work/$class/submissions" --out "$work/by_slurm" --course "$work/course" --slurm --per-task "${5:-4}" >"$work/out" 2>&1
status=$?
. tests/grade/digest.sh
if [ $status = 0 ] && [ "$(digest "$work/by_slurm")" = "$(digest "$work/$reference")" ]; then
  echo "Slurm: the same marks; $(grep -o "^[0-9]* submissions handed to Slurm" "$work/out")"
else
  echo "FAIL  Slurm: status $status"
  tail -n 8 "$work/out" "$work/by_slurm/slurm.log"
  exit 1
fi
grep -q ' 0 submissions tried again' "$work/out" || { echo "FAIL  Slurm: tasks failed"; tail -n 8 "$work/by_slurm/slurm.log"; exit 1; }
