-- Builds of images: their documents, and what has become of the last start of each.
create table builds (
  name text not null primary key,
  project text not null,
  owner text not null,
  spec text not null,
  number bigint not null,
  status text not null,
  canceling bigint not null,
  reason text,
  digest text,
  size_bytes bigint,
  started_by text not null,
  created_at bigint not null,
  queued_at bigint not null,
  started_at bigint,
  ended_at bigint,
  revision bigint not null
);
create index builds_of_project on builds (project);
create index builds_by_status on builds (status)
