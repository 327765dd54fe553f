-- Alerts about statuses of runs: each is sent until its receiver has taken it, or it is given up.
create table run_alerts (
  id text primary key,
  run text not null,
  project text not null,
  -- of the run, which is told
  status text not null,
  -- WAITING, DELIVERED, GIVEN_UP or DROPPED
  state text not null,
  -- the name of the secret that has address and key
  webhook text not null,
  -- what is sent, to the letter
  body text not null,
  attempts integer not null,
  -- null when it is not sent any more
  next_at bigint,
  outcome text,
  created_at bigint not null,
  attempted_at bigint
);
create index run_alerts_next on run_alerts (state, next_at);
create index run_alerts_project on run_alerts (project, state, next_at);
create index run_alerts_run on run_alerts (run, created_at);
create index run_alerts_created on run_alerts (created_at);
