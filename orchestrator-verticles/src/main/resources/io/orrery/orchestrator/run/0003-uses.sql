-- What attempts of steps that ended well have used of their machine, where that was measured.
create table step_uses (
  run text not null,
  number integer not null,
  attempt integer not null,
  pipeline text not null,
  project text not null,
  task text not null,
  memory bigint not null,
  cpu_millis bigint not null,
  millis bigint not null,
  ended_at bigint not null,
  primary key (run, number, attempt)
);
create index step_uses_of_pipeline on step_uses (project, pipeline, ended_at);
