-- A row for each project that ever used something: moved by each change, so that of two servers
-- that decide at once the second decides again.
create table quota_ledgers (
  project text primary key,
  revision bigint not null
);

-- What objects hold: units of so much each.
create table quota_holdings (
  kind text not null,
  name text not null,
  part text not null,
  project text not null,
  user_name text not null,
  epoch bigint not null,
  units integer not null,
  cpu bigint not null,
  memory bigint not null,
  gpu bigint not null,
  trials bigint not null,
  services bigint not null,
  notebooks bigint not null,
  runs bigint not null,
  storage bigint not null,
  since bigint not null,
  primary key (kind, name, part)
);
create index quota_holdings_by_project on quota_holdings (project, since)
