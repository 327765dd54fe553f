-- Until when use has been added up, in milliseconds: one row.
create table usage_clock (
  one integer primary key,
  at bigint not null
);

-- Amounts times seconds by span. Memory and storage in mebibytes; name is empty but in the rows by object.
create table usage_sums (
  step text not null,
  at bigint not null,
  project text not null,
  user_name text not null,
  kind text not null,
  name text not null,
  cpu bigint not null,
  memory bigint not null,
  gpu bigint not null,
  trials bigint not null,
  services bigint not null,
  notebooks bigint not null,
  runs bigint not null,
  storage bigint not null,
  primary key (step, at, project, user_name, kind, name)
);
create index usage_sums_by_project on usage_sums (project, step, at)
