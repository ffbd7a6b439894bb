#!/usr/bin/env bash
# reports/slurm.sh, as a job array of a Slurm that is started here for the purpose: on the loopback
# interface, with all of its state in a directory of its own. Usage: slurm.sh TRUELERP
source_tree=$(cd "$(dirname "$0")/.." && pwd)
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch scontrol squeue; do
    command -v $program >/dev/null || {
        echo "skipped: there is no $program here (Debian: apt-get install slurm-wlm munge)"
        exit 77
    }
done
# shellcheck source=tests/program/common.bash
. "$source_tree/tests/program/common.bash"
node=$(hostname -s)
user=$(id -un)
port=$((20000 + $$ % 20000))
export SLURM_CONF=$work/slurm.conf

mkdir state spool
head -c 1024 /dev/urandom >munge.key
chmod 600 munge.key
cat >slurm.conf <<END
ClusterName=truelerp
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=10000,bf_interval=1
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
echo 'CgroupPlugin=cgroup/v1' >cgroup.conf

stop()
{
    scontrol shutdown >/dev/null 2>&1 || true
    munged --stop --socket="$work/munge.socket" >/dev/null 2>&1 || true
    for _ in {1..50}; do
        [ -e slurmctld.pid ] || [ -e slurmd.pid ] || break
        sleep 0.1
    done
    rm -rf "$work"
}
trap stop EXIT
munged --force --socket="$work/munge.socket" --key-file="$work/munge.key" \
    --log-file="$work/munged.log" --pid-file="$work/munged.pid" --seed-file="$work/munged.seed" ||
    fail "munged does not start: $(cat munged.log)"
slurmctld || fail "slurmctld does not start: $(cat slurmctld.log)"
slurmd || fail "slurmd does not start: $(cat slurmd.log)"

# submit ARGUMENT...: prints the job's number
submit()
{
    sbatch --parsable "$@" || fail "sbatch $*: $(cat slurm*.log)"
}

# finish JOB...: waits until no such job is left
finish()
{
    local job
    for job in "$@"; do
        for _ in {1..240}; do
            [ -n "$(squeue --noheader --jobs "$job" 2>/dev/null)" ] || continue 2
            sleep 0.5
        done
        fail "job $job does not end: $(squeue; tail -n 20 slurm*.log)"
    done
}

run 0 report hermite slerp3 --samples 20000 --out whole
array=$(submit --array=1-6 "$source_tree/reports/slurm.sh" 6 hermite slerp3 --samples 20000)
merge=$(submit --dependency=afterany:"$array" --output=merge.log \
    --wrap='truelerp merge shards/*.jsonl --out merged')
finish "$array" "$merge"
for ((i = 1; i <= 6; i++)); do
    says "shards-$array-$i.log" "Shard $i of 6" 'all within their bounds'
done
says merge.log '40000 results of 2 functions' merged/accuracy.html

# strip FILE: accuracy.json without the object `run`
strip()
{
    awk '/^  "run": \{/ { skip = 1 } !skip { print } /^  \},/ { skip = 0 }' "$1"
}
[ "$(strip whole/accuracy.json | wc -l)" -gt 500 ] || fail 'compared almost nothing'
cmp <(strip whole/accuracy.json) <(strip merged/accuracy.json) || fail 'Slurm makes another report'
cmp <(sed '$d' whole/accuracy.md) <(sed '$d' merged/accuracy.md) || fail 'another accuracy.md'

# Only those again that are missing; a finding is no failed task, wrong usage is one.
rm shards/2-of-6.jsonl shards/5-of-6.jsonl
run 2 merge shards/*.jsonl --out not_there
says err 'missing: 2, 5'
array=$(submit --array=2,5 "$source_tree/reports/slurm.sh" 6 hermite slerp3 --samples 20000)
finish "$array"
run 0 merge shards/*.jsonl --out again
cmp <(strip whole/accuracy.json) <(strip again/accuracy.json) || fail 'repaired, it is another report'
shared naive <<'END'
double tl_lerp(double a, double b, double t);
double tl_lerp(double a, double b, double t)
{
    return a + t * (b - a);
}
END
rm -r shards
array=$(submit --array=1-2 "$source_tree/reports/slurm.sh" 2 --impl ./naive.so --samples 2000)
merge=$(submit --dependency=afterok:"$array" --output=found.log \
    --wrap='truelerp merge shards/*.jsonl --out found || echo "exit code $?"')
wrong=$(submit --array=1-2 "$source_tree/reports/slurm.sh" 2 no_such_function)
after=$(submit --dependency=afternotok:"$wrong" --output=wrong.log --wrap='echo failed')
finish "$array" "$merge" "$wrong" "$after"
says found.log 'lerp: violation in' 'exit code 1'
says wrong.log failed
echo "job arrays of $(sbatch --version): $array, $wrong"
