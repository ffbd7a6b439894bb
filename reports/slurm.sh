#!/usr/bin/env bash
# A report as a Slurm job array: each task does one shard. From a directory that all nodes share:
#
#     sbatch --array=1-20 slurm.sh 20 --samples 100000000      # prints the job's number, say 4711
#     sbatch --dependency=afterany:4711 --wrap='truelerp merge shards/*.jsonl'
#
# The first argument is the number of shards, the others go to `truelerp report`. A shard's file is
# whole or not there; to do only those again that are missing: sbatch --array=7,12 slurm.sh 20 ...
#SBATCH --job-name=truelerp
#SBATCH --cpus-per-task=1
#SBATCH --output=shards-%A-%a.log
set -euo pipefail
count=${1:?the number of shards, which should be that of --array}
shift
number=${SLURM_ARRAY_TASK_ID:?this is for sbatch --array=1-$count}

# Exit code 1 tells of a finding, which the merged report has too: for Slurm, the task is done.
truelerp report "$@" --shard "$number/$count" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --out "shards/$number-of-$count.jsonl" || [ $? -eq 1 ]
