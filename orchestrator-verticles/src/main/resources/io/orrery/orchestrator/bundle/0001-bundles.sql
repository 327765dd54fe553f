-- Uploaded code, in parts. An upload becomes a bundle when it is committed.
create table code_parts (
  upload text not null,
  number integer not null,
  at bigint not null,
  bytes blob not null,
  primary key (upload, number)
);

create table code_bundles (
  digest text primary key,
  upload text not null,
  parts integer not null,
  at bigint not null
)
