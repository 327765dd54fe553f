-- The log, a row for each group commit: what is in it is not in chunks yet, or was until a short while ago.
create table metric_frame (
  segment integer not null,
  place integer not null,
  frame blob not null,
  primary key (segment, place)
);
