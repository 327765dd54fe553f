-- The workloads that are wanted, and the last changes of the state of each.
create table workloads (
  workload text primary key,
  project text not null,
  owner text not null,
  runtime text not null,
  generation bigint not null,
  replicas integer not null,
  spec text not null,
  code text,
  route text,
  removed integer not null
);

create table workload_events (
  workload text not null,
  number bigint not null,
  at bigint not null,
  replica text,
  state text not null,
  reason text,
  primary key (workload, number)
)
