-- Current state, one row each: no query replays a history.
create table experiments (
  id text not null primary key,
  spec text not null,
  status text not null,
  counts text not null,
  best text,
  next_sequence bigint not null,
  next_ordinal bigint not null,
  next_number bigint not null,
  created bigint not null,
  ran_ms bigint not null,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  error text
);

create index experiments_by_age on experiments (created_at, id);

-- parameter_sets is a JSON list: a trial may be given several, one after another.
-- suggested and settled are places in the experiment's history, which a tuner is rebuilt from.
create table trials (
  experiment text not null,
  id text not null,
  sequence bigint not null,
  phase text not null,
  status text not null,
  attempt integer not null,
  reason text,
  ending text,
  not_before bigint,
  parameter_sets text not null,
  metric double precision,
  metric_document text,
  exit_code integer,
  directory text,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  suggested bigint not null,
  settled bigint,
  primary key (experiment, id)
);

create unique index trials_by_sequence on trials (experiment, sequence);

create index trials_by_status on trials (experiment, status, sequence);

create index trials_by_metric on trials (experiment, metric);

create index trials_by_suggested on trials (experiment, suggested);

create index trials_by_settled on trials (experiment, settled);

-- What still moves, for recovery: small however many trials there were.
create index trials_live on trials (experiment, sequence) where phase <> 'SETTLED';
