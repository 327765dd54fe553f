-- The rules that were changed; a kind without a row has its usual one.
create table retention_rules (
  kind text primary key,
  -- null for ever
  keep_days integer,
  changed_by text not null,
  changed_at bigint not null
);

-- The last pass over each kind.
create table retention_passes (
  kind text primary key,
  at bigint not null,
  removed bigint not null,
  kept bigint not null,
  failure text
);
