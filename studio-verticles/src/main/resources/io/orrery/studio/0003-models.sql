-- Models with their versions and aliases, and the trees of files that are kept by content.
create table models (
  name text primary key,
  project text not null,
  owner text not null,
  description text not null,
  tags text not null,
  last_number bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null
);
create index models_by_project on models (project, name);

create table model_versions (
  model text not null,
  version text not null,
  number bigint not null,
  owner text not null,
  id text not null,
  path text,
  digest text,
  files integer not null,
  bytes bigint not null,
  stage text not null,
  description text not null,
  framework text not null,
  metrics text not null,
  source text not null,
  tags text not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null,
  primary key (model, version),
  unique (model, number)
);

create table model_aliases (
  model text not null,
  alias text not null,
  version text not null,
  primary key (model, alias)
);

create table artifact_files (
  tree text not null,
  path text not null,
  digest text not null,
  bytes bigint not null,
  primary key (tree, path)
);
create index artifact_files_by_digest on artifact_files (digest)
