-- Lists of runs by status, owner and trigger, without looking at all runs.
create index runs_by_status on runs (status, created_at, run);
create index runs_of_owner on runs (owner, created_at, run);
create index runs_by_cause on runs (cause, created_at, run);
