-- What one attempt reported during one segment of the log, in the log's order.
create table metric_chunk (
  experiment text not null,
  trial text not null,
  attempt integer not null,
  segment bigint not null,
  points bytea not null,
  primary key (experiment, trial, attempt, segment)
);

-- What must be known of an attempt when more of it comes: the ordinals that it has used, and its last result.
create table metric_attempt (
  experiment text not null,
  trial text not null,
  attempt integer not null,
  seen bytea not null,
  result bytea,
  primary key (experiment, trial, attempt)
);

-- One row: the offset in the log before which everything is in chunks.
create table metric_moved (
  id integer not null primary key,
  upto bigint not null
);

insert into metric_moved (id, upto) values (1, 0);
