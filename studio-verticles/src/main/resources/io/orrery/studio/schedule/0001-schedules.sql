-- Schedules of pipelines, and the runs that were due.
create table schedules (
  pipeline text primary key,
  project text not null,
  -- as in the document of the pipeline
  schedule text not null,
  -- expressions, time zone and first instant: when they change, the schedule begins anew
  timing text not null,
  paused integer not null,
  -- instants up to here have been decided
  position bigint not null,
  revision bigint not null
);

create table due_runs (
  id text primary key,
  pipeline text not null,
  project text not null,
  due bigint not null,
  status text not null,
  -- how often it was run before
  attempt integer not null,
  -- what is submitted; null when that is done
  spec text,
  run text,
  run_status text,
  reason text,
  -- 1 while it waits or its run is under way
  moving integer not null,
  created_at bigint not null,
  submitted_at bigint,
  unique (pipeline, due)
);
create index due_runs_moving on due_runs (moving, pipeline);
create index due_runs_by_run on due_runs (run);
create index due_runs_by_due on due_runs (due, id);
