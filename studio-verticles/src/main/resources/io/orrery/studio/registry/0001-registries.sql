-- Accounts of image registries, with passwords that are sealed with a key that is not in the
-- database, and the images that projects know.
create table registries (
  name text not null primary key,
  project text not null,
  owner text not null,
  server text not null,
  login text not null,
  password text not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null
);
create index registries_of_project on registries (project);
create table images (
  id text not null primary key,
  project text not null,
  owner text not null,
  name text not null,
  description text not null,
  digest text not null,
  state text not null,
  present_digest text,
  reason text,
  checked_at bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null
);
create index images_of_project on images (project)
