-- Notebooks, the users with whom each is shared, and what happened to them.
create table notebooks (
  name text primary key,
  project text not null,
  owner text not null,
  document text not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null,
  audience text not null,
  epoch bigint not null,
  generation bigint not null,
  wanted bigint not null,
  used_at bigint not null,
  warned_at bigint,
  seen text not null,
  seen_at bigint not null,
  want text not null
);
create index notebooks_by_project on notebooks (project, name);

create table notebook_shares (
  notebook text not null,
  user_name text not null,
  primary key (notebook, user_name)
);

create table notebook_events (
  notebook text not null,
  number bigint not null,
  at bigint not null,
  state text not null,
  reason text,
  primary key (notebook, number)
)
