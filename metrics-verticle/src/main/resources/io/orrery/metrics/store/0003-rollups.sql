-- When each segment was stored, in milliseconds since the epoch: how old its chunks are.
create table metric_segment (
  segment bigint not null primary key,
  stored bigint not null
);

-- The chunk of an attempt that stands for older ones, at the segment of the last of these; `ended` is how many bytes that one had,
-- which is where a reader was that had read all of them.
create table metric_rollup (
  experiment text not null,
  trial text not null,
  attempt integer not null,
  segment bigint not null,
  ended integer not null,
  primary key (experiment, trial, attempt)
);
