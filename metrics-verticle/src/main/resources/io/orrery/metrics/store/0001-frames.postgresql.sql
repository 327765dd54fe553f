-- The log, a row for each group commit: what is in it is not in chunks yet, or was until a short while ago.
create table metric_frame (
  segment bigint not null,
  place bigint not null,
  frame bytea not null,
  primary key (segment, place)
);

-- Numbers do not pack, and every frame is deleted soon.
alter table metric_frame alter column frame set storage external;
