-- Runs of pipelines, their steps, and what these have made.
create table runs (
  run text primary key,
  pipeline text not null,
  version integer not null,
  project text not null,
  owner text not null,
  creator text not null,
  cause text not null,
  due bigint,
  parameters text not null,
  status text not null,
  -- 1 until the run is over
  moving integer not null,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  error text,
  spec text not null
);
create index runs_newest on runs (created_at, run);
create index runs_of_pipeline on runs (pipeline, created_at, run);
create index runs_of_project on runs (project, created_at, run);
create index runs_moving on runs (run) where moving = 1;

create table steps (
  run text not null,
  number integer not null,
  name text not null,
  task text not null,
  platform text not null,
  each_values text not null,
  project text not null,
  status text not null,
  attempt integer not null,
  base integer not null,
  reason text,
  not_before bigint,
  started_at bigint,
  ended_at bigint,
  exit_code integer,
  ending text,
  outputs text not null,
  cache_key text,
  cached_from text,
  primary key (run, number)
);
create index steps_by_cache_key on steps (cache_key, ended_at) where cache_key is not null;

create table stored_artifacts (
  digest text primary key,
  kind text not null,
  bytes bigint not null,
  created_at bigint not null
);

create table run_artifacts (
  run text not null,
  step text not null,
  name text not null,
  digest text not null,
  primary key (run, step, name)
);
create index run_artifacts_by_digest on run_artifacts (digest);
