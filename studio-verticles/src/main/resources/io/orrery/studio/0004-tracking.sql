-- Experiments and runs of tracking clients. Points of metrics lie in chunks, as they were logged.
create table tracking_experiments (
  id text primary key,
  project text not null,
  owner text not null,
  name text not null,
  deleted integer not null,
  created_at bigint not null,
  changed_at bigint not null,
  unique (project, name)
);
insert into tracking_experiments (id, project, owner, name, deleted, created_at, changed_at)
  values ('0', 'public', '', 'Default', 0, 0, 0);

create table tracking_runs (
  id text primary key,
  experiment text not null,
  owner text not null,
  user_name text not null,
  name text not null,
  status text not null,
  deleted integer not null,
  started_at bigint not null,
  ended_at bigint
);
create index tracking_runs_by_experiment on tracking_runs (experiment, deleted, started_at);

-- Tags of runs and of experiments: both have ids of one kind.
create table tracking_tags (
  subject text not null,
  name text not null,
  value text not null,
  primary key (subject, name)
);

create table tracking_params (
  run text not null,
  name text not null,
  value text not null,
  primary key (run, name)
);

-- The latest point of each metric.
create table tracking_metrics (
  run text not null,
  name text not null,
  value double precision not null,
  nan integer not null,
  step bigint not null,
  at bigint not null,
  primary key (run, name)
);

-- Points that were logged together; the mark is a digest of them.
create table tracking_points (
  run text not null,
  name text not null,
  mark text not null,
  at bigint not null,
  points blob not null,
  primary key (run, name, mark)
);
create index tracking_points_by_time on tracking_points (run, name, at, mark)
